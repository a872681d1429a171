//xfail:NOT_ALL_VERIFIED
//--local_size=64
// The elements of the source overlap those of the destination.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void move(const int *in, int *out)
{
    __shared__ int cell[65];
    auto block = cg::this_thread_block();
    cell[threadIdx.x + 1] = in[threadIdx.x];
    block.sync();
    cg::memcpy_async(block, cell, cell + 1, 64 * sizeof(int)); //~ race
    cg::wait(block);
    out[blockIdx.x * 64 + threadIdx.x] = cell[threadIdx.x];
}
