//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Nothing is known of a number that is drawn but its type.

#include <thrust/random.h>

__global__ void any(int *out)
{
    int t = threadIdx.x;
    thrust::minstd_rand engine(t);
    out[engine() % 64] = t; //~? race
}
