//pass
//--local_size=64
// Each thread waits for its copy, and the barrier of the warp then shows it to the others in it.
#include <cuda_pipeline.h>

__global__ void shift(const float *in, float *out)
{
    __shared__ float cell[64];
    unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&cell[t], &in[t], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    out[blockIdx.x * 64 + t] = cell[t ^ 1];
}
