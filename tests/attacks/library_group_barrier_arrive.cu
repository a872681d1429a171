//unknown
//--block-dim=64 --grid-dim=1
// A barrier of a group in two parts is refused.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void exchange(const int *in, int *cells, int *out)
{
    int t = threadIdx.x;
    cells[t] = in[t];
    auto block = cg::this_thread_block();
    block.barrier_wait(block.barrier_arrive()); //~ unsupported
    out[t] = cells[63 - t];
}
