//xfail:NOT_ALL_VERIFIED
//--local_size=64
// The stage is released and filled again before the thread has read it.
#include <cuda/pipeline>

__global__ void sum(const float *in, float *out, int rounds)
{
    __shared__ float cell[64];
    unsigned t = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&cell[t], &in[t], sizeof(float), pipe);
    pipe.producer_commit();
    float sum = 0;
    for (int k = 1; k < rounds; ++k) {
        pipe.consumer_wait();
        pipe.consumer_release();
        pipe.producer_acquire();
        cuda::memcpy_async(&cell[t], &in[k * 64 + t], sizeof(float), pipe); //~ race
        pipe.producer_commit();
        sum += cell[t]; //~ race
    }
    pipe.consumer_wait();
    out[blockIdx.x * 64 + t] = sum + cell[t];
}
