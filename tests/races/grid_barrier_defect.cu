// racy
// run: --block-dim 32 --grid-dim 3
// The barrier is that of the block.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void grid_barrier(int *cells, int *out)
{
    unsigned i = blockIdx.x * 32 + threadIdx.x;
    cells[i] = i; //~ race
    cg::this_thread_block().sync();
    out[i] = cells[95 - i]; //~ race
}
