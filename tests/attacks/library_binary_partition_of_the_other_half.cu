//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// As library_binary_partition_of_a_tile.cu, but a lane reads what one of the other half writes.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void exchange_across_halves(int *out)
{
    __shared__ int cells[32];
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    auto half = cg::binary_partition(tile, threadIdx.x & 1);
    cells[threadIdx.x] = threadIdx.x; //~ race
    half.sync();
    out[threadIdx.x] = cells[threadIdx.x ^ 1]; //~ race
}
