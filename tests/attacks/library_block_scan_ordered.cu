//pass
//--block-dim=64 --grid-dim=2
// With a barrier behind the scan, what was written before it may be read by others.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out)
{
    typedef cub::BlockScan<int, 64> Scan;
    __shared__ Scan::TempStorage storage;
    __shared__ int cells[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    cells[t] = in[i];
    int sum;
    Scan(storage).ExclusiveSum(in[i], sum);
    __syncthreads();
    out[i] = cells[63 - t] + sum;
}
