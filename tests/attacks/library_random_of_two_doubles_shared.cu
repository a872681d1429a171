//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A draw of two numbers reads and writes the state.

#include <curand_kernel.h>

__global__ void draw(curandStatePhilox4_32_10 *a, curandStatePhilox4_32_10 *b)
{
    int t = threadIdx.x;
    curand_uniform2_double(&a[t / 2]); //~ race uniform
    curand_normal2_double(&b[t / 2]); //~ race normal
}
