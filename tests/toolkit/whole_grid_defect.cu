//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=8
// As whole_grid.cu, but each block waits for itself alone.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void turn(const int *in, int *between, int *out) {
    cg::grid_group grid = cg::this_grid();
    between[grid.thread_rank()] = in[grid.thread_rank()]; //~ race
    cg::this_thread_block().sync();
    out[grid.thread_rank()] = between[grid.size() - 1 - grid.thread_rank()]; //~ race
}
