//pass
//--block-dim=32 --grid-dim=1
// The lanes of one half of a tile wait for each other.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void exchange_in_halves(int *out)
{
    __shared__ int cells[32];
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    auto half = cg::binary_partition(tile, threadIdx.x & 1);
    cells[threadIdx.x] = threadIdx.x;
    half.sync();
    out[threadIdx.x] = cells[threadIdx.x ^ 2];
}
