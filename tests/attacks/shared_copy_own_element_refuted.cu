//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// The threads of the block share a copy, but each waits for its part only, and which part that is
// is not said. It need not be the element that the thread reads.
#include <cooperative_groups.h>
#include <cuda/pipeline>

__global__ void own(const int *in, int *out)
{
    __shared__ int cell[64];
    auto block = cooperative_groups::this_thread_block();
    unsigned t = block.thread_rank();
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(block, cell, in, sizeof(cell), pipe); //~ race
    pipe.producer_commit();
    pipe.consumer_wait();
    out[blockIdx.x * 64 + t] = cell[t]; //~ race
    pipe.consumer_release();
}
