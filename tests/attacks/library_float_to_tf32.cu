//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// A conversion of a number orders no memory.

#include <mma.h>

__global__ void convert(const float *in, float *out)
{
    __shared__ float cells[32];
    int t = threadIdx.x;
    cells[t] = in[t]; //~ race
    float value = nvcuda::wmma::__float_to_tf32(in[t]);
    out[t] = cells[31 - t] + value; //~ race
}
