//pass
//--local_size=256 --num_groups=4
// Each thread reads what it has copied itself. It needs no barrier, but the wait.
#include <cuda_pipeline.h>

__global__ void __launch_bounds__(256) copy_of_own(const int4 *in, int *out, int n)
{
    __shared__ int4 cell[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    __pipeline_memcpy_async(&cell[threadIdx.x], &in[i], sizeof(int4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    int4 own = cell[threadIdx.x];
    out[i] = own.x + own.y + own.z + own.w;
}
