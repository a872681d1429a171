//pass
//--local_size=128 --num_groups=8
// A pipeline of a thread with four stages, of which three are in flight. One barrier a round is
// enough: it also keeps the next copy into a stage behind all that was read from it.
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
        unsigned next = k + STAGES - 1;
        pipe.producer_acquire();
        if (next < rounds) {
            const float4 *row = from + (size_t)next * 128;
            cuda::memcpy_async(&stage[next % STAGES][t], row, cuda::aligned_size_t<16>(sizeof(float4)), pipe);
        }
        pipe.producer_commit();
        float4 other = stage[k % STAGES][127 - t];
        sum += other.x * other.y + other.z * other.w;
        pipe.consumer_release();
    }
    out[blockIdx.x * 128 + t] = sum;
}
