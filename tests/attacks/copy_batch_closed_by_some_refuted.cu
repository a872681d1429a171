//xfail:NOT_ALL_VERIFIED
//--local_size=64
// A thread closes the first batch only if the flag says so. If not, both copies are in one batch,
// and the wait is for none of them.
#include <cuda_pipeline.h>

__global__ void two(const float *in, float *out, const int *flag)
{
    __shared__ float cell[2][64];
    unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&cell[0][t], &in[t], sizeof(float)); //~ race
    if (flag[t]) {
        __pipeline_commit();
    }
    __pipeline_memcpy_async(&cell[1][t], &in[64 + t], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[blockIdx.x * 64 + t] = cell[0][(t + 1) % 64]; //~ race
}
