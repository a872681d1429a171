//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// A number that is converted to another precision need not be the same.

#include <mma.h>

__global__ void convert(const float *in, int *out)
{
    int t = threadIdx.x;
    float value = nvcuda::wmma::__float_to_tf32(in[t]);
    if (__float_as_int(value) != __float_as_int(in[t])) out[0] = t; //~? race
}
