//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A comparison holds of all threads but one.

#include <thrust/functional.h>

__global__ void functors(int *out)
{
    int t = threadIdx.x;
    if (!thrust::greater_equal<int>()(t, 63)) out[0] = t; //~ race greater_equal
}
