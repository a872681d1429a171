//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// An engine that is seeded is written.

#include <thrust/random.h>

__global__ void seeds(thrust::minstd_rand *engines)
{
    int t = threadIdx.x;
    engines[t / 2].seed(t); //~ race
}
