//xfail:NOT_ALL_VERIFIED
//--block-dim=[8,4,1] --grid-dim=[2,2,1]
// Two blocks are in one row of the grid.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void numbers(const int *in, int *out)
{
    cg::thread_block block = cg::this_thread_block();
    out[cg::this_grid().block_index().y * 32 + block.thread_rank()] = in[cg::this_grid().thread_rank()]; //~ race
}
