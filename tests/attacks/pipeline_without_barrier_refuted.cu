//xfail:NOT_ALL_VERIFIED
//--local_size=64
// Each thread waits for its own copies, but not for those of the others.
#include <cuda/pipeline>

__global__ void shift(const float *in, float *out)
{
    __shared__ float cell[64];
    unsigned t = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&cell[t], &in[t], sizeof(float), pipe); //~ race
    pipe.producer_commit();
    pipe.consumer_wait();
    out[blockIdx.x * 64 + t] = cell[(t + 1) % 64]; //~ race
    pipe.consumer_release();
}
