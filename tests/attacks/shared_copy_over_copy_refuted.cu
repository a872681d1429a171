//xfail:NOT_ALL_VERIFIED
//--local_size=64
// Two copies into the same elements, of which threads may have different parts.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void twice(const int *in, int *out)
{
    __shared__ int cell[64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, cell, in, sizeof(cell)); //~ race
    cg::memcpy_async(block, cell, in + 64, sizeof(cell)); //~ race
    cg::wait(block);
    out[blockIdx.x * 64 + threadIdx.x] = cell[threadIdx.x];
}
