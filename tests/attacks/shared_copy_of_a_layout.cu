//pass
//--local_size=64
// Of the two numbers of elements, the smaller counts: what is behind it can be written beside.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void part(const int *in, int *out, unsigned n)
{
    __shared__ int cell[96];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, cell, 64, in, n);
    if (threadIdx.x < 32) {
        cell[64 + threadIdx.x] = threadIdx.x;
    }
    cg::wait(block);
    out[blockIdx.x * 64 + threadIdx.x] = cell[threadIdx.x + 32];
}
