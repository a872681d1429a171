//unknown
//--blockDim=64 --gridDim=4
// A copy of a size that is computed, which the primitive does not allow: refused by name.
#include <cuda_pipeline.h>

__global__ void async_copy_of_any_size_refused(int *out, const int *in, unsigned bytes)
{
    __shared__ int cells[64];
    __pipeline_memcpy_async(&cells[threadIdx.x], &in[blockIdx.x * blockDim.x + threadIdx.x], bytes); //~ unsupported
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[blockIdx.x * blockDim.x + threadIdx.x] = cells[threadIdx.x];
}
