//pass
//--local_size=64
// All copies but the last are waited for before one of them is read.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void two(const int *in, int *out)
{
    __shared__ int cell[2][64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, cell[0], in, sizeof(cell[0]));
    cg::memcpy_async(block, cell[1], in + 64, sizeof(cell[1]));
    cg::wait_prior<1>(block);
    int first = cell[0][63 - threadIdx.x];
    cg::wait(block);
    out[blockIdx.x * 64 + threadIdx.x] = first + cell[1][63 - threadIdx.x];
}
