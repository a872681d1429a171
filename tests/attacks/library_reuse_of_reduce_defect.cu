//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Storage that is used again without a barrier may still be in use.

#include <cub/cub.cuh>

__global__ void twice(const int *in, int *out)
{
    typedef cub::BlockReduce<int, 64> Reduce;
    __shared__ Reduce::TempStorage storage;
    int a = in[threadIdx.x], b = a;
    a = Reduce(storage).Sum(a); //~ race
    b = Reduce(storage).Reduce(b, cub::Max()); //~ race
    if (threadIdx.x == 0) out[0] = a + b;
}
