//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Two draws with one state need not give one number.

#include <curand_kernel.h>

__global__ void twice(curandState *states, int *out)
{
    int t = threadIdx.x;
    if (curand(&states[t]) != curand(&states[t])) out[0] = t; //~? race
}
