//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// Each block copies into the same elements of global memory.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void all(const int *in, int *out)
{
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, out, in + 64 * blockIdx.x, 64 * sizeof(int)); //~ race
    cg::wait(block);
}
