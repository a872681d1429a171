//unknown
//--block-dim=64 --grid-dim=1
// All threads get what one of them has computed, and it is not said which.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void one(int *out)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    out[threadIdx.x] = cg::invoke_one_broadcast(tile, [&] { return threadIdx.x; }); //~ unsupported
}
