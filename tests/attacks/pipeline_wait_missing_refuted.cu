//xfail:NOT_ALL_VERIFIED
//--local_size=64
// The barrier orders the threads, but nobody has waited for the stage.
#include <cuda/pipeline>

__global__ void shift(const float *in, float *out)
{
    __shared__ float cell[64];
    unsigned t = threadIdx.x;
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&cell[t], &in[t], sizeof(float), pipe); //~ race
    pipe.producer_commit();
    __syncthreads();
    out[blockIdx.x * 64 + t] = cell[(t + 1) % 64]; //~ race
    pipe.consumer_wait();
    pipe.consumer_release();
}
