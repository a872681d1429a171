//xfail:NOT_ALL_VERIFIED
//--local_size=64
// The first wait is for no stage, as none has been committed: it does not count for the first.
#include <cuda/pipeline>

__global__ void own(const float *in, float *out)
{
    __shared__ float cell[64];
    unsigned t = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    cuda::memcpy_async(&cell[t], &in[t], sizeof(float), pipe); //~ race
    pipe.consumer_wait();
    out[blockIdx.x * 64 + t] = cell[t]; //~ race
    pipe.producer_commit();
    pipe.consumer_wait();
}
