//xfail:NOT_ALL_VERIFIED
//--local_size=64
// Two stages of another pipeline are before the copy's batch. Its first wait is for its own first
// stage, which is not the batch of the copy.
#include <cuda/pipeline>

__global__ void own(const float *in, float *out)
{
    __shared__ float cell[64];
    unsigned t = threadIdx.x;
    auto other = cuda::make_pipeline();
    auto pipe = cuda::make_pipeline();
    other.producer_commit();
    other.producer_commit();
    cuda::memcpy_async(&cell[t], &in[t], sizeof(float), pipe); //~ race
    pipe.producer_commit();
    other.consumer_wait();
    out[blockIdx.x * 64 + t] = cell[t]; //~ race
    pipe.consumer_wait();
}
