//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// As library_meta_group_of_a_converted_tile.cu, but the number is taken for one among all tiles of the block.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void parts(int *out)
{
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::tiled_partition<32>(cg::this_thread_block()));
    if (tile.meta_group_rank() != threadIdx.x / 16) out[0] = threadIdx.x; //~ race
}
