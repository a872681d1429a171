//xfail:NOT_ALL_VERIFIED
//--local_size=64
// The barrier of the warp orders the threads, but not their copies, for which nobody has waited.
#include <cuda_pipeline.h>

__global__ void shift(const float *in, float *out)
{
    __shared__ float cell[64];
    unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&cell[t], &in[t], sizeof(float)); //~ race
    __pipeline_commit();
    __syncwarp();
    out[blockIdx.x * 64 + t] = cell[t ^ 1]; //~ race
    __pipeline_wait_prior(0);
}
