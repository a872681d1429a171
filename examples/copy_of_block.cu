//pass
//--local_size=128 --num_groups=8
// The threads of a block copy tiles together, into two buffers in turn. `wait_prior` waits for all
// copies but the latest, and for all threads of the block.
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
        cg::memcpy_async(block, tile[k % 2], from + k * 128, sizeof tile[0]);
        cg::wait_prior<1>(block);
        sum += tile[(k - 1) % 2][127 - t];
        block.sync();
    }
    cg::wait(block);
    out[blockIdx.x * 128 + t] = sum + tile[(rounds - 1) % 2][127 - t];
}
