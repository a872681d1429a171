// race-free
// run: --block-dim 32 --grid-dim 3
// The barrier of the grid stands between the writes and the reads of other blocks' elements.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void grid_barrier(int *cells, int *out)
{
    unsigned i = blockIdx.x * 32 + threadIdx.x;
    cells[i] = i;
    cg::this_grid().sync();
    out[i] = cells[95 - i];
}
