//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A draw by hipRAND reads and writes the state.

#include <hip/hip_runtime.h>
#include <hiprand/hiprand_kernel.h>

__global__ void draw(hiprandState *a, hiprandState *b)
{
    int t = threadIdx.x;
    hiprand_uniform(&a[t / 2]); //~ race uniform
    hiprand_normal_double(&b[t / 2]); //~ race normal
}
