//xfail:NOT_ALL_VERIFIED
//--local_size=64
// A thread overwrites what its copy may still have to read.
#include <cuda_pipeline.h>

__global__ void take(float *queue, float *out)
{
    __shared__ float cell[64];
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    __pipeline_memcpy_async(&cell[threadIdx.x], &queue[i], sizeof(float)); //~ race
    queue[i] = 0; //~ race
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[i] = cell[threadIdx.x];
}
