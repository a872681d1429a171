//xfail:NOT_ALL_VERIFIED
//--block-dim=[8,4,1] --grid-dim=[2,2,1]
// A group of one thread waits for no other.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void numbers(const int *in, int *out)
{
    __shared__ int cells[32];
    cg::thread_block block = cg::this_thread_block();
    cg::thread own = cg::this_thread();
    int t = block.thread_index().y * block.group_dim().x + block.thread_index().x;
    cells[t] = in[t]; //~ race
    cg::synchronize(own);
    out[cg::this_grid().block_rank() * 32 + t] = cells[31 - t]; //~ race
}
