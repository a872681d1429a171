//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As tile_largest.cu, but there is one place per block, on which its tiles race.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void largest_of_warps(const int *in, int *out)
{
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int largest = cg::reduce(warp, in[block.group_index().x * block.size() + block.thread_rank()], cg::greater<int>());
    if (warp.thread_rank() == 0) {
        out[block.group_index().x] = largest; //~ race
    }
}
