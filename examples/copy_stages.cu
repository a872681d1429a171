//pass
//--local_size=128 --num_groups=8
// A software pipeline of asynchronous copies: three stages, of which two are in flight. A thread
// waits for its own copy of a stage, and the barrier then shows the stage to all.
#include <cuda_pipeline.h>

constexpr int STAGES = 3;

__device__ void start(float *to, const float *from)
{
    __pipeline_memcpy_async(to, from, sizeof(float));
}

__global__ void __launch_bounds__(128) copy_stages(const float *in, float *out, int rounds)
{
    __shared__ float stage[STAGES][128];
    unsigned t = threadIdx.x;
    const float *from = in + (size_t)blockIdx.x * rounds * 128 + t;
    for (int s = 0; s < STAGES - 1; ++s) {
        if (s < rounds) {
            start(&stage[s][t], from + s * 128);
        }
        __pipeline_commit();
    }
    float sum = 0.0f;
    for (int k = 0; k < rounds; ++k) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        int next = k + STAGES - 1;
        if (next < rounds) {
            start(&stage[next % STAGES][t], from + next * 128);
        }
        __pipeline_commit();
        sum += stage[k % STAGES][t ^ 1] * stage[k % STAGES][t];
    }
    out[blockIdx.x * 128 + t] = sum;
}
