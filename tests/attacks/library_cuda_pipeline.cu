//unknown
//--block-dim=64 --grid-dim=1
// A pipeline of libcu++ is refused.

#include <cuda/pipeline>

__global__ void copy(const int *in, int *out)
{
    __shared__ int cells[64];
    int t = threadIdx.x;
    cuda::pipeline<cuda::thread_scope_thread> own = cuda::make_pipeline(); //~ unsupported
    cuda::memcpy_async(cells + t, in + t, sizeof(int), own);
    cuda::pipeline_producer_commit(own);
    cuda::pipeline_consumer_wait_prior<0>(own);
    out[t] = cells[63 - t];
}
