//xfail:NOT_ALL_VERIFIED
//--block-dim=512 --grid-dim=4
// A state of this generator is for a block of at most 256 threads.

#include <curand_kernel.h>

__global__ void draw(curandStateMtgp32 *states, float *out)
{
    float first = curand_uniform(&states[blockIdx.x]); //~ race
    out[blockIdx.x * blockDim.x + threadIdx.x] = first;
}
