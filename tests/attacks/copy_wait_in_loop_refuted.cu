//xfail:NOT_ALL_VERIFIED
//--local_size=64
// The only wait is in a loop that may have no iteration.
#include <cuda_pipeline.h>

__global__ void shift(const float *in, float *out, int n)
{
    __shared__ float cell[64];
    unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&cell[t], &in[t], sizeof(float)); //~ race
    __pipeline_commit();
    for (int i = 0; i < n; ++i) {
        __pipeline_wait_prior(0);
    }
    __syncthreads();
    out[blockIdx.x * 64 + t] = cell[(t + 1) % 64]; //~ race
}
