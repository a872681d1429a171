//pass
//--block-dim=64 --grid-dim=1
// Lanes of one warp have numbers below 32, each its own.

#include <cub/cub.cuh>

__global__ void lanes(const int *in, int *out)
{
    __shared__ int cells[32];
    int lane = cub::LaneId();
    if (threadIdx.x < 32) {
        cells[lane] = in[lane];
        __syncwarp();
        out[lane] = cells[31 - lane];
    }
}
