//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Skipping numbers reads and writes the state, which is one thread's.

#include <curand_kernel.h>

__global__ void draw(curandStateMRG32k3a *a, curandStateMRG32k3a *b)
{
    int t = threadIdx.x;
    skipahead_subsequence(1, &a[t / 2]); //~ race subsequences
    curand_init(7, t, 0, &b[t / 2]); //~? race beginning
}
