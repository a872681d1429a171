//xfail:NOT_ALL_VERIFIED
//--local_size=128 --num_groups=8
// As pipeline_four_stages.cu, but a round fills the stage that it reads.
#include <cuda/pipeline>

constexpr unsigned STAGES = 4;

__global__ void __launch_bounds__(128) pipeline_four_stages(const float4 *in, float *out, unsigned rounds)
{
    __shared__ float4 stage[STAGES][128];
    unsigned t = threadIdx.x;
    const float4 *from = in + (size_t)blockIdx.x * rounds * 128 + t;
    auto pipe = cuda::make_pipeline();
    for (unsigned s = 0; s < STAGES - 1; ++s) {
        pipe.producer_acquire();
        if (s < rounds) {
            cuda::memcpy_async(&stage[s][t], from + s * 128, cuda::aligned_size_t<16>(sizeof(float4)), pipe);
        }
        pipe.producer_commit();
    }
    float sum = 0.0f;
    for (unsigned k = 0; k < rounds; ++k) {
        pipe.consumer_wait();
        __syncthreads();
        unsigned next = k + STAGES;
        pipe.producer_acquire();
        if (next < rounds) {
            const float4 *row = from + (size_t)next * 128;
            cuda::memcpy_async(&stage[next % STAGES][t], row, cuda::aligned_size_t<16>(sizeof(float4)), pipe); //~ race
        }
        pipe.producer_commit();
        float4 other = stage[k % STAGES][127 - t]; //~ race
        sum += other.x * other.y + other.z * other.w;
        pipe.consumer_release();
    }
    out[blockIdx.x * 128 + t] = sum;
}
