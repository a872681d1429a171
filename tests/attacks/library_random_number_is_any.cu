//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Nothing is promised of a number that is drawn, not that it differs from thread to thread.

#include <curand_kernel.h>

__global__ void any(curandState *states, int *out)
{
    int t = threadIdx.x;
    out[curand(&states[t]) % 64] = t; //~? race
}
