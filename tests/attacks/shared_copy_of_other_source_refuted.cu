//xfail:NOT_ALL_VERIFIED
//--local_size=64
// The threads ask for different copies.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void differ(const int *in, int *out)
{
    __shared__ int cell[64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, cell, in + threadIdx.x, sizeof(cell)); //~ group-operation-divergence
    cg::wait(block);
    out[blockIdx.x * 64 + threadIdx.x] = cell[threadIdx.x];
}
