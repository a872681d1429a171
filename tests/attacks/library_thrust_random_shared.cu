//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// An engine is read and written by whoever draws.

#include <thrust/random.h>

__global__ void draw(thrust::default_random_engine *engines)
{
    int t = threadIdx.x;
    engines[t / 2](); //~? race
}
