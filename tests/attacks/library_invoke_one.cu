//unknown
//--block-dim=64 --grid-dim=1
// Which thread it is that calls the function is not said.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void one(int *out)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    cg::invoke_one(tile, [&] { out[tile.meta_group_rank()] = 1; }); //~ unsupported
}
