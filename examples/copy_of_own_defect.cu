//xfail:NOT_ALL_VERIFIED
//--local_size=256 --num_groups=4
// As copy_of_own.cu, but the batch is not closed, so that the wait is not for it.
#include <cuda_pipeline.h>

__global__ void __launch_bounds__(256) copy_of_own(const int4 *in, int *out, int n)
{
    __shared__ int4 cell[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    __pipeline_memcpy_async(&cell[threadIdx.x], &in[i], sizeof(int4)); //~ race
    __pipeline_wait_prior(0);
    int4 own = cell[threadIdx.x]; //~ race
    __pipeline_commit();
    out[i] = own.x + own.y + own.z + own.w;
}
