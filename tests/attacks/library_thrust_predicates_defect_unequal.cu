//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A comparison holds of all threads but one.

#include <thrust/functional.h>

__global__ void functors(int *out)
{
    int t = threadIdx.x;
    if (thrust::not_equal_to<int>()(t, 3)) out[0] = t; //~ race not_equal_to
}
