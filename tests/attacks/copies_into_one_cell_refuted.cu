//xfail:NOT_ALL_VERIFIED
//--local_size=64
// Two copies of a thread into one cell: either may be the last.
#include <cuda_pipeline.h>

__global__ void twice(const float *in, float *out)
{
    __shared__ float cell[64];
    unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&cell[t], &in[t], sizeof(float)); //~ race
    __pipeline_commit();
    __pipeline_memcpy_async(&cell[t], &in[64 + t], sizeof(float)); //~ race
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + t] = cell[t];
}
