//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Storage that is used again without a barrier may still be in use.

#include <cub/cub.cuh>

__global__ void twice(const int *in, int *out)
{
    typedef cub::BlockScan<int, 64> Scan;
    __shared__ Scan::TempStorage storage;
    int a = in[threadIdx.x], b = a;
    Scan(storage).ExclusiveSum(a, a); //~ race
    Scan(storage).ExclusiveSum(b, b); //~ race
    out[threadIdx.x] = a + b;
}
