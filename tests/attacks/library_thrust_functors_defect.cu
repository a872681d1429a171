//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Halves, remainders and extremes are shared by threads.

#include <thrust/functional.h>

__global__ void functors(int *out)
{
    int t = threadIdx.x;
    out[thrust::divides<int>()(t, 2)] = t; //~ race half
    out[100 + thrust::modulus<int>()(t, 32)] = t; //~ race rest
    out[200 + thrust::maximum<int>()(t, 3)] = t; //~ race most
    out[300 + thrust::minimum<int>()(t, 3)] = t; //~ race least
}
