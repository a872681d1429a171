//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// How a draw changes the state is not documented.

#include <curand_kernel.h>

__global__ void words(curandState *states, int *out)
{
    int t = threadIdx.x;
    const unsigned int *words = (const unsigned int *)&states[t];
    unsigned int before = words[1];
    curand(&states[t]);
    if (words[1] != before) out[0] = t; //~ race
}
