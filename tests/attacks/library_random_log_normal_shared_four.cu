//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A draw of numbers of this distribution reads and writes the state.

#include <curand_kernel.h>

__global__ void draw(curandStatePhilox4_32_10 *a, curandStatePhilox4_32_10 *b)
{
    int t = threadIdx.x;
    curand_log_normal4(&a[t / 2], 0.0f, 1.0f); //~ race four
    curand_log_normal_double(&b[t / 2], 0.0, 1.0); //~ race double
}
