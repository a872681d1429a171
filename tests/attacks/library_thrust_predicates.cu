//pass
//--block-dim=64 --grid-dim=1
// Comparisons hold of one thread only.

#include <thrust/functional.h>

__global__ void functors(int *out)
{
    int t = threadIdx.x;
    if (thrust::equal_to<int>()(t, 3)) out[0] = t;
    if (!thrust::not_equal_to<int>()(t, 3)) out[1] = t;
    if (thrust::less<int>()(t, 1)) out[2] = t;
    if (thrust::less_equal<int>()(t, 0)) out[3] = t;
    if (thrust::greater<int>()(t, 62)) out[4] = t;
    if (thrust::greater_equal<int>()(t, 63)) out[5] = t;
    if (thrust::logical_and<bool>()(t > 3, t < 5)) out[6] = t;
    if (thrust::logical_or<bool>()(t < 1, t < 0)) out[7] = t;
    if (thrust::logical_not<bool>()(t != 9)) out[8] = t;
}
