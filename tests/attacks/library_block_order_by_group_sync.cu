//pass
//--block-dim=64 --grid-dim=2
// A block's `sync` orders memory: that is documented.

#include <cooperative_groups.h>

__global__ void exchange(const int *in, int *out)
{
    __shared__ int cells[64];
    auto block = cooperative_groups::this_thread_block();
    int t = block.thread_rank(), i = blockIdx.x * 64 + t;
    cells[t] = in[i];
    block.sync();
    out[i] = cells[63 - t];
}
