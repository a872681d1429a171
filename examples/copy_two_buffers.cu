//pass
//--local_size=64 --num_groups=8
// Asynchronous copies into two buffers in turn. The second barrier keeps the next copy into a
// buffer behind all that is read from it.
#include <cuda_pipeline.h>

__global__ void __launch_bounds__(64) copy_two_buffers(const float4 *in, float *out, int rounds)
{
    __shared__ float4 buffer[2][64];
    unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&buffer[0][t], &in[t], sizeof(float4));
    __pipeline_commit();
    float sum = 0.0f;
    for (int k = 0; k < rounds; ++k) {
        if (k + 1 < rounds) {
            __pipeline_memcpy_async(&buffer[(k + 1) % 2][t], &in[(k + 1) * 64 + t], sizeof(float4));
        }
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        float4 other = buffer[k % 2][63 - t];
        sum += other.x + other.y * other.z - other.w;
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}
