//pass
//--local_size=64
// As pipeline_beside_another_refuted.cu, but the thread waits for the pipeline of the copy.
#include <cuda/pipeline>

__global__ void own(const float *in, float *out)
{
    __shared__ float cell[64];
    unsigned t = threadIdx.x;
    auto other = cuda::make_pipeline();
    auto pipe = cuda::make_pipeline();
    other.producer_commit();
    other.producer_commit();
    cuda::memcpy_async(&cell[t], &in[t], sizeof(float), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    out[blockIdx.x * 64 + t] = cell[t];
}
