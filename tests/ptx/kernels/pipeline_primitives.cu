// Asynchronous copies by the primitives of cuda_pipeline.h, two stages.
// launch: --local_size=64
// defect: the barrier before the next copy into a stage is missing.
// only: nvcc
#include <cuda_pipeline.h>

extern "C" __global__ void __launch_bounds__(64) pipeline_primitives(const float4 *in, float *out, int rounds)
{
    __shared__ float4 stage[2][64];
    unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&stage[0][t], &in[t], sizeof(float4));
    __pipeline_commit();
    float sum = 0.0f;
    for (int k = 0; k < rounds; ++k) {
        if (k + 1 < rounds) {
            __pipeline_memcpy_async(&stage[(k + 1) % 2][t], &in[(k + 1) * 64 + t], sizeof(float4)); //~ race shared
        }
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        float4 other = stage[k % 2][63 - t]; //~ race shared
        sum += other.x + other.y * other.z - other.w;
#ifndef DEFECT
        __syncthreads();
#endif
    }
    out[blockIdx.x * 64 + t] = sum;
}
