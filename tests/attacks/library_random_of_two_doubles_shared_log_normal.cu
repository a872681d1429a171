//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A draw of two numbers reads and writes the state.

#include <curand_kernel.h>

__global__ void draw(curandStatePhilox4_32_10 *a)
{
    int t = threadIdx.x;
    curand_log_normal2_double(&a[t / 2], 0.0, 1.0); //~ race log_normal
}
