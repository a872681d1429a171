//xfail:NOT_ALL_VERIFIED
//--local_size=64
// The copy may be made before another thread has read the cell.
#include <cuda_pipeline.h>

__global__ void rotate(const float *in, float *out)
{
    __shared__ float cell[64];
    unsigned t = threadIdx.x;
    cell[t] = in[t];
    __syncthreads();
    float other = cell[(t + 1) % 64]; //~ race
    __pipeline_memcpy_async(&cell[t], &in[64 + t], sizeof(float)); //~ race
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + t] = other + cell[t];
}
