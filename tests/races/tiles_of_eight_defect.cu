// racy
// run: --block-dim 32 --grid-dim 1
// The element is one of the next tile.

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void tiles_of_eight(int *out)
{
    __shared__ int cells[32];
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    unsigned t = threadIdx.x;
    cells[t] = t; //~ race
    tile.sync();
    out[t] = cells[t ^ 8]; //~ race
}
