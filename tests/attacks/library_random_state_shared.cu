//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A generator's state is read and written by whoever draws: it is one thread's.

#include <curand_kernel.h>

__global__ void draw(curandState *states, unsigned int *out)
{
    out[threadIdx.x] = curand(&states[threadIdx.x / 2]); //~ race
}
