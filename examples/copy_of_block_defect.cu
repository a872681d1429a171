//xfail:NOT_ALL_VERIFIED
//--local_size=128 --num_groups=8
// As copy_of_block.cu, but the next copy may be made while other threads still read the buffer.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void __launch_bounds__(128) copy_of_block(const float *in, float *out, int rounds)
{
    __shared__ float tile[2][128];
    cg::thread_block block = cg::this_thread_block();
    unsigned t = block.thread_rank();
    const float *from = in + (size_t)blockIdx.x * rounds * 128;
    if (rounds < 1) {
        return;
    }
    cg::memcpy_async(block, tile[0], from, sizeof tile[0]);
    float sum = 0.0f;
    for (int k = 1; k < rounds; ++k) {
        cg::memcpy_async(block, tile[k % 2], from + k * 128, sizeof tile[0]); //~ race
        cg::wait_prior<1>(block);
        sum += tile[(k - 1) % 2][127 - t]; //~ race
    }
    cg::wait(block);
    out[blockIdx.x * 128 + t] = sum + tile[(rounds - 1) % 2][127 - t];
}
