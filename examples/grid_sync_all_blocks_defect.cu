//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As grid_sync_all_blocks.cu, but the threads beyond the end of the data have returned: the others
// wait for them at the grid's barrier.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void smooth(float *from, float *to, int n, int steps)
{
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    for (int step = 0; step < steps; step++) {
        float left = i > 0 ? from[i - 1] : 0.0f;
        float right = i < n - 1 ? from[i + 1] : 0.0f;
        to[i] = 0.25f * left + 0.5f * from[i] + 0.25f * right;
        grid.sync(); //~ barrier-divergence
        float *swap = from;
        from = to;
        to = swap;
    }
}
