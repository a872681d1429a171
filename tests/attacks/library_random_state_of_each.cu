//pass
//--block-dim=64 --grid-dim=2
// Each thread draws with a state of its own.

#include <curand_kernel.h>

__global__ void draw(curandState *states, float *out)
{
    int i = blockIdx.x * 64 + threadIdx.x;
    curandState state = states[i];
    out[i] = curand_uniform(&state);
    states[i] = state;
}
