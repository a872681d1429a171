//pass
//--block-dim=[8,4,1] --grid-dim=[2,2,1]
// The numbers of groups are those of the launch.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void numbers(const int *in, int *out)
{
    __shared__ int cells[32];
    cg::thread_block block = cg::this_thread_block();
    cg::grid_group grid = cg::this_grid();
    auto tile = cg::tiled_partition<8>(block);
    cg::thread own = cg::this_thread();
    int t = block.thread_index().y * block.group_dim().x + block.thread_index().x;
    int b = block.group_index().y * grid.dim_blocks().x + block.group_index().x;
    cells[t] = in[t];
    own.sync();
    cg::synchronize(block);
    int value = cells[block.num_threads() - 1 - t];
    if (grid.is_valid() && grid.num_blocks() == 4 && b == grid.block_rank()) {
        out[b * block.dim_threads().x * block.dim_threads().y + cg::thread_rank(block)] = value;
    }
    if (cg::group_size(block) != 32 || grid.block_index().x > 1 || own.size() != 1) out[0] = t;
    if (tile.meta_group_size() != 4 || tile.meta_group_rank() != t / 8) out[1] = t;
}
