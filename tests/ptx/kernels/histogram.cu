// A histogram by atomics, first in shared and then in global memory.
// launch: --local_size=256
// defect: the counts of the thread block are incremented without atomics.
// example: nvrtc
#include "device.h"

extern "C" __global__ void __launch_bounds__(256) histogram(const unsigned char *in, unsigned *bins, int n)
{
    __shared__ unsigned counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
#ifdef DEFECT
        counts[in[i]] += 1; //~ race shared
#else
        atomicAdd(&counts[in[i]], 1u);
#endif
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
