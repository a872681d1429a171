//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// In which order the groups are that a tile is parted into by a label is not documented, so nothing rests on a group's number.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void parts(int *out)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    auto part = cg::labeled_partition(tile, threadIdx.x / 4);
    if (part.meta_group_rank() != 0) out[0] = threadIdx.x; //~? race
}
