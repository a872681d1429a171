//xfail:NOT_ALL_VERIFIED
//--local_size=64
// Another thread may copy the element that this one has just written.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void fill(const int *in, int *out, unsigned n)
{
    __shared__ int cell[64];
    auto block = cg::this_thread_block();
    cell[threadIdx.x] = 0; //~ race
    cg::memcpy_async(block, cell, in, n < 64 ? n * sizeof(int) : sizeof(cell)); //~ race
    cg::wait(block);
    out[blockIdx.x * 64 + threadIdx.x] = cell[threadIdx.x];
}
