//pass
//--local_size=64 --num_groups=16
// Steps of a smoothing between two buffers, with a barrier of the whole grid between the steps. The
// blocks beyond the end of the data have nothing to do but to come to it.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void smooth(float *from, float *to, int n, int steps)
{
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int step = 0; step < steps; step++) {
        if (i < n) {
            float left = i > 0 ? from[i - 1] : 0.0f;
            float right = i < n - 1 ? from[i + 1] : 0.0f;
            to[i] = 0.25f * left + 0.5f * from[i] + 0.25f * right;
        }
        grid.sync();
        float *swap = from;
        from = to;
        to = swap;
    }
}
