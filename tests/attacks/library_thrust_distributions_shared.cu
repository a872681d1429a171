//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A distribution draws with the engine that it is given.

#include <thrust/random.h>

__global__ void draw(thrust::minstd_rand *engines)
{
    int t = threadIdx.x;
    thrust::uniform_real_distribution<float> numbers(0, 1);
    numbers(engines[t / 2]); //~? race
}
