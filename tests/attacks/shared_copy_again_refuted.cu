//xfail:NOT_ALL_VERIFIED
//--local_size=64
// Between two shared copies each thread waits for its own part. The second copy may be parted in
// another way than the first, so that the two still race.
#include <cooperative_groups.h>
#include <cuda/pipeline>

__global__ void twice(const int *in, int *out)
{
    __shared__ int cell[64];
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline();
    cuda::memcpy_async(block, cell, in, sizeof(cell), pipe); //~ race
    pipe.producer_commit();
    pipe.consumer_wait();
    cuda::memcpy_async(block, cell, in + 64, sizeof(cell), pipe); //~ race
    pipe.producer_commit();
    pipe.consumer_wait();
    block.sync();
    out[blockIdx.x * 64 + threadIdx.x] = cell[threadIdx.x];
}
