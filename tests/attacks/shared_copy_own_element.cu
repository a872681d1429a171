//pass
//--local_size=64 --num_groups=4
// As shared_copy_own_element_refuted.cu, with a barrier behind the wait.
#include <cooperative_groups.h>
#include <cuda/pipeline>

__global__ void own(const int *in, int *out)
{
    __shared__ int cell[64];
    auto block = cooperative_groups::this_thread_block();
    unsigned t = block.thread_rank();
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(block, cell, in, sizeof(cell), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    block.sync();
    out[blockIdx.x * 64 + t] = cell[t];
    pipe.consumer_release();
}
