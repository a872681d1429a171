//pass
//--block-dim=64 --grid-dim=2
// The sum of all is the same for all threads, of floats too: all of them go the same way.

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
    if (all > 0) {
        __syncthreads();
        out[i] = cells[63 - t];
    }
}
