//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// All threads of the block come to a collective, or it is none.

#include <cub/cub.cuh>

__global__ void sums(const int *in, int *out)
{
    typedef cub::BlockScan<int, 64> Scan;
    __shared__ Scan::TempStorage storage;
    int t = threadIdx.x, sum = 0;
    if (t < 32) Scan(storage).ExclusiveSum(in[t], sum); //~ barrier-divergence
    out[t] = sum;
}
