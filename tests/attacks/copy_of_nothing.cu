//pass
//--local_size=64
// Beyond the end of the input a copy reads nothing and writes zeros.
#include <cuda_pipeline.h>

__device__ float4 in[100];

__global__ void pad(float *out)
{
    __shared__ float4 cell[64];
    unsigned t = threadIdx.x, i = blockIdx.x * 64 + t;
    __pipeline_memcpy_async(&cell[t], &in[i], sizeof(float4), i < 100 ? 0 : sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[i] = cell[t].x;
}
