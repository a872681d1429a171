//pass
//--block-dim=64 --grid-dim=4
// The largest distance that there is.

__global__ void distance_constant(int *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[64ull * i + ((n & 63) >> 31)] = i;
}
