//xfail:NOT_ALL_VERIFIED
//--local_size=64
// The wait stands behind the barrier: a thread may read what another has not received yet.
#include <cuda_pipeline.h>

__global__ void shift(const float *in, float *out)
{
    __shared__ float cell[64];
    unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&cell[t], &in[t], sizeof(float)); //~ race
    __pipeline_commit();
    __syncthreads();
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + t] = cell[(t + 1) % 64]; //~ race
}
