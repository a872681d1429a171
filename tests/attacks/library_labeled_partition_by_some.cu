//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// Only the odd lanes of a tile partition it: they may wait for the others.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void partition_of_some(int *out)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    if (threadIdx.x & 1) {
        auto part = cg::labeled_partition(tile, threadIdx.x & 3); //~? warp-divergence
        out[threadIdx.x] = 1 + part.size();
    }
}
