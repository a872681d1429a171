//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A state has 35 words (i, x, c and 32 direction vectors), so that states 34 words apart overlap.

#include <curand_kernel.h>

__global__ void draw(unsigned int *memory, float *out)
{
    int t = threadIdx.x;
    curandStateScrambledSobol32_t *state = (curandStateScrambledSobol32_t *)(memory + 34 * t);
    out[t] = curand_uniform(state); //~ race
}
