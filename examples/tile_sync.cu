//pass
//--local_size=64 --num_groups=16
// Every second tile of 16 threads reverses its elements. All threads of a tile take the branch
// together, and its sync() is between their writes and reads.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void reverse_even_tiles(const int *in, int *out)
{
    __shared__ int cells[64];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    unsigned t = block.thread_rank();
    unsigned gid = block.group_index().x * block.size() + t;
    if (tile.meta_group_rank() % 2 == 0) {
        cells[t] = in[gid];
        tile.sync();
        out[gid] = cells[t ^ 15];
    }
}
