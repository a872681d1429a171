//pass
//--block-dim=64 --grid-dim=1
// A scan in a loop, with a barrier in each iteration.

#include <cub/cub.cuh>

__global__ void scans(const int *in, int *out, int n)
{
    typedef cub::BlockScan<int, 64> Scan;
    __shared__ Scan::TempStorage storage;
    int t = threadIdx.x, carried = 0;
    for (int i = 0; i < n; ++i) {
        int sum, all;
        Scan(storage).ExclusiveSum(in[64 * i + t], sum, all);
        out[64 * i + t] = sum + carried;
        carried += all;
        __syncthreads();
    }
}
