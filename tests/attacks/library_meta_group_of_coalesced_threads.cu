//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Threads that are parted into tiles of four know the number of their tile, which is not always the first.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void parts(int *out)
{
    auto part = cg::tiled_partition(cg::coalesced_threads(), 4);
    if (part.meta_group_rank() != 0) out[0] = threadIdx.x; //~? race
}
