//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// The state of a quasirandom generator is made of the direction vectors, which are read.

#include <curand_kernel.h>

__global__ void quasi(const unsigned int *in, curandStateSobol32_t *states)
{
    __shared__ curandDirectionVectors32_t vectors;
    int t = threadIdx.x;
    vectors[t] = in[t]; //~ race
    curand_init(vectors, 0, &states[t]); //~ race
}
