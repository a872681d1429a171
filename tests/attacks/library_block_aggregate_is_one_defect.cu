//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=2
// The sums of a scan are each thread's own: not all of them go the same way.

#include <cub/cub.cuh>

__global__ void sums(const float *in, float *out)
{
    typedef cub::BlockScan<float, 64> Scan;
    __shared__ Scan::TempStorage storage;
    __shared__ float cells[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    float sum, all;
    Scan(storage).InclusiveSum(in[i], sum, all);
    cells[t] = sum;
    if (sum > 0) {
        __syncthreads(); //~ barrier-divergence
        out[i] = cells[63 - t];
    }
}
