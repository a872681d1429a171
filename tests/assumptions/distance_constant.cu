//pass
//--block-dim=64 --grid-dim=4 -D DISTANCE=32
// assumes: no shift by the width or more (line 10)
// otherwise verified: --block-dim=64 --grid-dim=4 -D DISTANCE=(m&31)
// otherwise verified: --block-dim=64 --grid-dim=4 -D DISTANCE=31
// As distance.cu, with a constant.
__global__ void distance_constant(int *out, unsigned n, unsigned m)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[64ull * i + ((n & 63) >> DISTANCE)] = i;
}
