//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Comparisons hold of all threads but one.

#include <thrust/functional.h>

__global__ void functors(int *out)
{
    int t = threadIdx.x;
    if (!thrust::equal_to<int>()(t, 3)) out[0] = t; //~ race equal_to
    if (!thrust::less<int>()(t, 1)) out[1] = t; //~ race less
    if (!thrust::less_equal<int>()(t, 0)) out[2] = t; //~ race less_equal
}
