//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// The contents of an initialised state are not documented.

#include <curand_kernel.h>

__global__ void words(curandState *states, int *out)
{
    int t = threadIdx.x;
    curand_init(7, t, 0, &states[t]);
    if (((const unsigned int *)&states[t])[1] != 0) out[0] = t; //~? race
}
