//xfail:NOT_ALL_VERIFIED
//--local_size=64
// As shared_copy_prior.cu, but the first copy may be pending, too.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void two(const int *in, int *out)
{
    __shared__ int cell[2][64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, cell[0], in, sizeof(cell[0])); //~ race
    cg::memcpy_async(block, cell[1], in + 64, sizeof(cell[1]));
    cg::wait_prior<2>(block);
    int first = cell[0][63 - threadIdx.x]; //~ race
    cg::wait(block);
    out[blockIdx.x * 64 + threadIdx.x] = first + cell[1][63 - threadIdx.x];
}
