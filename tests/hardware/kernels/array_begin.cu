//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4 --kernel-arrays=array_begin,1024,1024
// The first thread reads before the start of an array.

__global__ void array_begin(const int *in, int *out)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    out[g] = in[g] - in[g - 1]; //~ out-of-bounds
}
