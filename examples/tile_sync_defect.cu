//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As tile_sync.cu, but the lower half of each tile takes the branch, and waits for the upper half.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void reverse_even_tiles(const int *in, int *out)
{
    __shared__ int cells[64];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    unsigned t = block.thread_rank();
    unsigned gid = block.group_index().x * block.size() + t;
    if (tile.thread_rank() < 8) {
        cells[t] = in[gid];
        tile.sync(); //~? warp-divergence
        out[gid] = cells[t ^ 7];
    }
}
