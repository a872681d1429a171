//pass
//--local_size=64
// As shared_copy_over_own_element_refuted.cu, with a barrier before the copy.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void fill(const int *in, int *out, unsigned n)
{
    __shared__ int cell[64];
    auto block = cg::this_thread_block();
    cell[threadIdx.x] = 0;
    block.sync();
    cg::memcpy_async(block, cell, in, n < 64 ? n * sizeof(int) : sizeof(cell));
    cg::wait(block);
    out[blockIdx.x * 64 + threadIdx.x] = cell[threadIdx.x];
}
