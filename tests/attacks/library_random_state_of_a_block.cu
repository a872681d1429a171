//pass
//--block-dim=64 --grid-dim=2
// A block's threads draw with one state of the Mersenne twister, several times.

#include <curand_kernel.h>

__global__ void draw(curandStateMtgp32 *states, unsigned int *out)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    unsigned int first = curand(&states[blockIdx.x]);
    out[i] = first ^ curand(&states[blockIdx.x]);
}
