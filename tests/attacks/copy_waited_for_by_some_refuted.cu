//xfail:NOT_ALL_VERIFIED
//--local_size=64
// Half of the threads wait for their copies. The barrier shows only these.
#include <cuda_pipeline.h>

__global__ void shift(const float *in, float *out)
{
    __shared__ float cell[64];
    unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&cell[t], &in[t], sizeof(float)); //~ race
    __pipeline_commit();
    if (t < 32) {
        __pipeline_wait_prior(0);
    }
    __syncthreads();
    out[blockIdx.x * 64 + t] = cell[(t + 1) % 64]; //~ race
}
