//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// The first and the last 65 of 128 have one element in common.

#include <cuda/std/span>

__global__ void parts(int *out)
{
    int t = threadIdx.x;
    cuda::std::span<int> all(out, 128);
    all.first(65)[t] = t; //~ race
    if (t < 2) all.last(65)[t == 0 ? 64 : 0] = -t; //~ race
}
