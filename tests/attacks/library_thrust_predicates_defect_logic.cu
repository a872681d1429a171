//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Comparisons hold of all threads but one.

#include <thrust/functional.h>

__global__ void functors(int *out)
{
    int t = threadIdx.x;
    if (!thrust::logical_and<bool>()(t > 3, t < 5)) out[0] = t; //~ race logical_and
    if (!thrust::logical_or<bool>()(t < 1, t < 0)) out[1] = t; //~ race logical_or
    if (!thrust::logical_not<bool>()(t != 9)) out[2] = t; //~ race logical_not
}
