//xfail:NOT_ALL_VERIFIED
//--local_size=64
// As pipeline_wait_prior.cu, but the last two stages may be pending when one of them is read.
#include <cuda/pipeline>

__global__ void three(const float *in, float *out)
{
    __shared__ float cell[3][64];
    unsigned t = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    for (int s = 0; s < 3; ++s) {
        pipe.producer_acquire();
        cuda::memcpy_async(&cell[s][t], &in[s * 64 + t], cuda::aligned_size_t<4>(sizeof(float)), pipe); //~ race
        pipe.producer_commit();
    }
    cuda::pipeline_consumer_wait_prior<2>(pipe);
    out[blockIdx.x * 64 + t] = cell[0][t] + cell[1][t]; //~ race
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    pipe.consumer_release();
    out[blockIdx.x * 64 + t] += cell[2][t];
}
