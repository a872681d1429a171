//unknown
//--block-dim=64 --grid-dim=1
// Of a thread's pipeline, waits with a time limit and stages that a barrier waits for are refused.

#include <cuda/barrier>
#include <cuda/pipeline>

__global__ void copy(const int *in, int *out)
{
    __shared__ int cells[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> all;
    int t = threadIdx.x;
    cuda::pipeline<cuda::thread_scope_thread> own = cuda::make_pipeline();
    cuda::memcpy_async(cells + t, in + t, sizeof(int), own);
    cuda::pipeline_producer_commit(own, all); //~ unsupported
    cuda::pipeline_consumer_wait_prior<0>(own);
    out[t] = cells[63 - t] + own.consumer_wait_for(5) + own.consumer_wait_until(7);
    own.quit();
}
