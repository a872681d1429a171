//pass
//--local_size=64
// As copy_batch_closed_by_some_refuted.cu, but each thread closes the first batch.
#include <cuda_pipeline.h>

__global__ void two(const float *in, float *out, const int *flag)
{
    __shared__ float cell[2][64];
    unsigned t = threadIdx.x;
    if (flag[t]) {
        __pipeline_commit();
    }
    __pipeline_memcpy_async(&cell[0][t], &in[t], sizeof(float));
    __pipeline_commit();
    __pipeline_memcpy_async(&cell[1][t], &in[64 + t], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[blockIdx.x * 64 + t] = cell[0][(t + 1) % 64];
}
