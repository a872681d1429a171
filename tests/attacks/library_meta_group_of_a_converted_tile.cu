//pass
//--block-dim=64 --grid-dim=2
// A tile of 16 threads out of a tile of 32 has its number among the two of its parent, also when its type names no parent.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void parts(int *out)
{
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::tiled_partition<32>(cg::this_thread_block()));
    if (tile.meta_group_rank() != threadIdx.x % 32 / 16 || tile.meta_group_size() != 2) out[0] = threadIdx.x;
    out[1 + blockIdx.x * blockDim.x + threadIdx.x] = 0;
}
