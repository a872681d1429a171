//pass
//--block-dim=32 --grid-dim=1
// All lanes of a tile take part in its partition, so each label has one first lane.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void first_of_each_label(int *out)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    auto part = cg::labeled_partition(tile, threadIdx.x & 3);
    if (part.thread_rank() == 0) {
        out[threadIdx.x & 3] = threadIdx.x;
    }
}
