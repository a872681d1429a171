//pass
//--blockDim=256 --gridDim=8
// A tile may be a whole warp of 64 lanes.

#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void tiles(const int *in, int *out)
{
    __shared__ int values[256];
    cg::thread_block_tile<64> tile = cg::tiled_partition<64>(cg::this_thread_block());
    values[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    tile.sync();
    int first = threadIdx.x - tile.thread_rank();
    out[blockIdx.x * 256 + threadIdx.x] = values[first + (tile.size() - 1 - tile.thread_rank())];
}
