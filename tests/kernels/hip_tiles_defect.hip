//xfail:NOT_ALL_VERIFIED
//--blockDim=256 --gridDim=8
// Half of a warp waits, and reads what the other half writes.

#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void tiles(const int *in, int *out)
{
    __shared__ int values[256];
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
    values[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x]; //~ race
    tile.sync();
    int first = threadIdx.x - threadIdx.x % warpSize;
    out[blockIdx.x * 256 + threadIdx.x] = values[first + (warpSize - 1 - threadIdx.x % warpSize)]; //~ race
}
