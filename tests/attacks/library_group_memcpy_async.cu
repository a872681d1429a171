//unknown
//--block-dim=64 --grid-dim=1
// A copy by a group that goes on beside its threads is refused, and so is waiting for it.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void copy(const int *in, int *out)
{
    __shared__ int cells[64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, cells, in, sizeof(cells)); //~ unsupported
    cg::wait_prior<1>(block);
    cg::wait(block);
    out[threadIdx.x] = cells[63 - threadIdx.x];
}
