//xfail:NOT_ALL_VERIFIED
//--local_size=64
// As shared_copy_of_a_layout.cu, but the layout reaches one element too far.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void part(const int *in, int *out, unsigned n)
{
    __shared__ int cell[96];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, cell, 65, in, n); //~ race
    if (threadIdx.x < 32) {
        cell[64 + threadIdx.x] = threadIdx.x; //~ race
    }
    cg::wait(block);
    out[blockIdx.x * 64 + threadIdx.x] = cell[threadIdx.x + 32];
}
