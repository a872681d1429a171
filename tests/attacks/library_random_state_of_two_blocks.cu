//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=2
// Two blocks may not share it.

#include <curand_kernel.h>

__global__ void draw(curandStateMtgp32 *states, unsigned int *out)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    out[i] = curand(&states[0]); //~ race
}
