// racy
// run: --block-dim 64 --grid-dim 1
// A scan of CUB orders nothing but what it computes with.

#include <cub/cub.cuh>

__global__ void library_scan(const int *in, int *out)
{
    typedef cub::BlockScan<int, 64> Scan;
    __shared__ Scan::TempStorage storage;
    __shared__ int cells[64];
    int t = threadIdx.x, sum;
    cells[t] = in[t]; //~ race
    Scan(storage).ExclusiveSum(in[t], sum);
    out[t] = cells[63 - t] + sum; //~ race
}
