//xfail:NOT_ALL_VERIFIED
//--local_size=64
// Two copies of one batch into overlapping cells.
#include <cuda_pipeline.h>

__global__ void twice(const float4 *in, float *out)
{
    __shared__ float4 cell[64];
    unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&cell[t], &in[t], sizeof(float4)); //~ race
    __pipeline_memcpy_async(&cell[t].z, &in[64 + t], 8); //~ race
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + t] = cell[t].x;
}
