// race-free
// run: --block-dim 64 --grid-dim 1
// The barrier of the program orders what is written before a scan and read behind it.

#include <cub/cub.cuh>

__global__ void library_scan(const int *in, int *out)
{
    typedef cub::BlockScan<int, 64> Scan;
    __shared__ Scan::TempStorage storage;
    __shared__ int cells[64];
    int t = threadIdx.x, sum;
    cells[t] = in[t];
    Scan(storage).ExclusiveSum(in[t], sum);
    __syncthreads();
    out[t] = cells[63 - t] + sum;
}
