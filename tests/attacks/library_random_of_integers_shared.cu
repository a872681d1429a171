//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A draw of integers reads and writes the state.

#include <curand_kernel.h>

__global__ void draw(curandStatePhilox4_32_10 *a, curandStatePhilox4_32_10 *b)
{
    int t = threadIdx.x;
    curand4(&a[t / 2]); //~ race four
    curand_poisson(&b[t / 2], 3.0); //~ race poisson
}
