//pass
//--block-dim=64 --grid-dim=2
// The sum of a warp is the same for all of its lanes.

#include <cub/cub.cuh>

__global__ void sums(const float *in, float *out)
{
    typedef cub::WarpScan<float> Scan;
    __shared__ Scan::TempStorage storage[2];
    __shared__ float cells[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    float sum, all;
    Scan(storage[t / 32]).InclusiveSum(in[i], sum, all);
    cells[t] = sum;
    if (all > 0) {
        __syncwarp();
        out[i] = cells[t ^ 31];
    }
}
