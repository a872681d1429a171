//pass
//--local_size=64
// Copies of 12 bytes, of a number of bytes that is computed, and of single bytes.
#include <cuda/pipeline>

__global__ void odd(const float3 *in, const float *rows, const char *letters, float *out, unsigned n)
{
    __shared__ float3 cell[64];
    __shared__ float row[64][8];
    __shared__ char letter[64][3];
    unsigned t = threadIdx.x, i = blockIdx.x * 64 + t;
    auto pipe = cuda::make_pipeline();
    cuda::memcpy_async(&cell[t], &in[i], sizeof(float3), pipe);
    if (n <= 8) {
        cuda::memcpy_async(row[t], rows + 8 * i, n * sizeof(float), pipe);
    }
    cuda::memcpy_async((void *)letter[t], (const void *)(letters + 3 * i), 3, pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    out[i] = cell[t].x + row[t][2] + letter[t][1];
}
