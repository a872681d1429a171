//pass
//--local_size=64
// Of three stages, all but the last are waited for.
#include <cuda/pipeline>

__global__ void three(const float *in, float *out)
{
    __shared__ float cell[3][64];
    unsigned t = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    for (int s = 0; s < 3; ++s) {
        pipe.producer_acquire();
        cuda::memcpy_async(&cell[s][t], &in[s * 64 + t], cuda::aligned_size_t<4>(sizeof(float)), pipe);
        pipe.producer_commit();
    }
    cuda::pipeline_consumer_wait_prior<1>(pipe);
    out[blockIdx.x * 64 + t] = cell[0][t] + cell[1][t];
    pipe.consumer_wait();
    pipe.consumer_release();
    out[blockIdx.x * 64 + t] += cell[2][t];
}
