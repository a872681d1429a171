//unknown
//--blockDim=64 --gridDim=4
// Copies that go on while the thread does: refused by name.
#include <cuda_pipeline.h>

__global__ void async_copy_refused(int *out, const int *in)
{
    __shared__ int cells[64];
    __pipeline_memcpy_async(&cells[threadIdx.x], &in[blockIdx.x * blockDim.x + threadIdx.x], 4); //~ unsupported
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[blockIdx.x * blockDim.x + threadIdx.x] = cells[threadIdx.x];
}
