//unknown
//--block-dim=64 --grid-dim=1
// A copy by a part of a warp that goes on beside its threads is refused.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void copy(const int *in, int *out)
{
    __shared__ int cells[64];
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int first = 32 * tile.meta_group_rank();
    cg::memcpy_async(tile, cells + first, in + first, 32 * sizeof(int)); //~ unsupported
    cg::wait_prior<1>(tile);
    cg::wait(tile);
    out[threadIdx.x] = cells[first + 31 - tile.thread_rank()];
}
