//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// It is still in use where no barrier comes before the next call.

#include <cub/cub.cuh>

__global__ void twice(const int *in, int *out)
{
    typedef cub::BlockScan<int, 64> Scan;
    int a = in[threadIdx.x], b = a;
    Scan().ExclusiveSum(a, a); //~ race
    Scan().ExclusiveSum(b, b); //~ race
    out[threadIdx.x] = a + b;
}
