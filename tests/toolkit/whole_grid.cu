//pass
//--block-dim=64 --grid-dim=8
// The whole grid waits between a write and a read of another block's cell.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void turn(const int *in, int *between, int *out) {
    cg::grid_group grid = cg::this_grid();
    between[grid.thread_rank()] = in[grid.thread_rank()];
    grid.sync();
    out[grid.thread_rank()] = between[grid.size() - 1 - grid.thread_rank()];
}
