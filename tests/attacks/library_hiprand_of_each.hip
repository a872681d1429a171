//pass
//--block-dim=64 --grid-dim=1
// Each thread draws with a state of its own.

#include <hip/hip_runtime.h>
#include <hiprand/hiprand_kernel.h>

__global__ void draw(hiprandState *states, float *out)
{
    int t = threadIdx.x;
    hiprandState state = states[t];
    out[t] = hiprand_uniform(&state);
    states[t] = state;
}
