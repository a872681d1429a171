//xfail:NOT_ALL_VERIFIED
//--local_size=64
// As copy_of_nothing.cu, but the copy reads beyond the end of the input.
#include <cuda_pipeline.h>

__device__ float4 in[100];

__global__ void pad(float *out)
{
    __shared__ float4 cell[64];
    unsigned t = threadIdx.x, i = blockIdx.x * 64 + t;
    __pipeline_memcpy_async(&cell[t], &in[i], sizeof(float4)); //~ out-of-bounds
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[i] = cell[t].x;
}
