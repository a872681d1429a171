//xfail:NOT_ALL_VERIFIED
//--local_size=64
// Half of the block starts a copy that all of it has to start.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void half(const int *in, int *out)
{
    __shared__ int cell[64];
    auto block = cg::this_thread_block();
    if (threadIdx.x < 32) {
        cg::memcpy_async(block, cell, in, sizeof(cell)); //~ barrier-divergence
    }
    cg::wait(block);
    out[blockIdx.x * 64 + threadIdx.x] = cell[threadIdx.x];
}
