//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A state has 67 words of 8 bytes (i, x, c and 64 direction vectors), so that states 66 words apart overlap.

#include <curand_kernel.h>

__global__ void draw(unsigned long long *memory, float *out)
{
    int t = threadIdx.x;
    curandStateSobol64_t *state = (curandStateSobol64_t *)(memory + 66 * t);
    out[t] = curand_uniform(state); //~ race
}
