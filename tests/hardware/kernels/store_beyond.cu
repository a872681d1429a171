//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=2 --kernel-arrays=store_beyond,512,400
// The launch has more threads than the second array has elements.

__global__ void store_beyond(const float *in, float *out)
{
    unsigned g = blockIdx.x * blockDim.x + threadIdx.x;
    out[g] = 2.0f * in[g]; //~ out-of-bounds
}
