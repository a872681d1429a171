//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4 --kernel-arrays=array_end,1024,1024
// The last thread reads behind the end of an array of 256 numbers.

__global__ void array_end(const int *in, int *out)
{
    unsigned g = blockIdx.x * blockDim.x + threadIdx.x;
    out[g] = in[g] + in[g + 1]; //~ out-of-bounds
}
