//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A block that is given memory for tiles is not made to wait by that.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void exchange(const int *in, int *out)
{
    __shared__ cg::block_tile_memory<64> memory;
    __shared__ int cells[64];
    int t = threadIdx.x;
    cells[t] = in[t]; //~ race
    cg::thread_block block = cg::this_thread_block(memory);
    out[t] = cells[63 - block.thread_rank()]; //~ race
}
