// Two steps of a stencil in one kernel, with a barrier of the whole grid in between.
// launch: --local_size=128
// defect: the barrier is one of the thread block.
// only: nvcc
#include <cooperative_groups.h>

extern "C" __global__ void __launch_bounds__(128) grid_sync(const float *in, float *middle, float *out, int n)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i > 0 && i < n - 1) {
        middle[i] = in[i - 1] + in[i + 1]; //~ race global
    }
#ifdef DEFECT
    __syncthreads();
#else
    cooperative_groups::this_grid().sync();
#endif
    if (i > 1 && i < n - 2) {
        out[i] = middle[i - 1] * middle[i + 1]; //~ race global
    }
}
