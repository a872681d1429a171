//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A draw of integers reads and writes the state.

#include <curand_kernel.h>

__global__ void draw(curandStatePhilox4_32_10 *a, curandStatePhilox4_32_10 *b, curandDiscreteDistribution_t distribution)
{
    int t = threadIdx.x;
    curand_poisson4(&a[t / 2], 3.0); //~ race poissons
    curand_discrete(&b[t / 2], distribution); //~ race discrete
}
