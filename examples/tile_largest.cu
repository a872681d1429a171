//pass
//--local_size=64 --num_groups=16
// The largest element of each warp by the reduction of cooperative groups, written by one thread of
// each tile to a place of its own.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void largest_of_warps(const int *in, int *out)
{
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int largest = cg::reduce(warp, in[block.group_index().x * block.size() + block.thread_rank()], cg::greater<int>());
    if (warp.thread_rank() == 0) {
        out[block.group_index().x * warp.meta_group_size() + warp.meta_group_rank()] = largest;
    }
}
