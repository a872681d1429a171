//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A draw of numbers of this distribution reads and writes the state.

#include <curand_kernel.h>

__global__ void draw(curandStatePhilox4_32_10 *a, curandStatePhilox4_32_10 *b)
{
    int t = threadIdx.x;
    curand_uniform(&a[t / 2]); //~ race one
    curand_uniform2(&b[t / 2]); //~ race two
}
