//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=8
// As pipeline_two_stages.cu, but a round reads the stage that is being filled.
#include <cuda/pipeline>

__global__ void __launch_bounds__(64) pipeline_two_stages(const float *in, float *out, int rounds)
{
    __shared__ float stage[2][64];
    unsigned t = threadIdx.x;
    const float *from = in + (size_t)blockIdx.x * rounds * 64 + t;
    if (rounds < 1) {
        return;
    }
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&stage[0][t], from, sizeof(float), pipe);
    pipe.producer_commit();
    float sum = 0.0f;
    for (int k = 1; k < rounds; ++k) {
        pipe.producer_acquire();
        cuda::memcpy_async(&stage[k % 2][t], from + k * 64, sizeof(float), pipe); //~ race
        pipe.producer_commit();
        pipe.consumer_wait();
        __syncthreads();
        sum += stage[k % 2][63 - t]; //~ race
        __syncthreads();
        pipe.consumer_release();
    }
    pipe.consumer_wait();
    __syncthreads();
    sum += stage[(rounds - 1) % 2][63 - t];
    pipe.consumer_release();
    out[blockIdx.x * 64 + t] = sum;
}
