//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Bits, squares and what others say are shared by threads.

#include <thrust/functional.h>

__global__ void functors(int *out)
{
    int t = threadIdx.x;
    out[thrust::bit_and<int>()(t, 31)] = t; //~ race and
    out[100 + thrust::bit_or<int>()(t, 1)] = t; //~ race or
    out[300 + thrust::square<int>()(t - 32)] = t; //~ race square
    out[2000 + thrust::project2nd<int>()(t, 0)] = t; //~ race second
}
