//pass
//--block-dim=64 --grid-dim=1
// A block that is given memory for tiles waits as any block does.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void exchange(const int *in, int *out)
{
    __shared__ cg::block_tile_memory<64> memory;
    __shared__ int cells[64];
    cg::thread_block block = cg::this_thread_block(memory);
    int t = threadIdx.x;
    cells[t] = in[t];
    block.sync();
    out[t] = cells[63 - t];
}
