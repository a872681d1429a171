//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=2
// The last thread of a block fails.

#include <cassert>

__global__ void assertion(int *out)
{
    unsigned t = threadIdx.x;
    assert(t + 1 < blockDim.x); //~ assertion
    out[blockIdx.x * blockDim.x + t] = t;
}
