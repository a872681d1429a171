//pass
//--blockDim=256 --gridDim=*
// Atomics on shared and on global memory.

#include <hip/hip_runtime.h>

__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    __shared__ unsigned own[256];
    own[hipThreadIdx_x] = 0;
    __syncthreads();
    for (int i = hipBlockIdx_x * 256 + hipThreadIdx_x; i < n; i += 256 * hipGridDim_x) {
        atomicAdd(&own[data[i]], 1u);
    }
    __syncthreads();
    atomicAdd(&bins[hipThreadIdx_x], own[hipThreadIdx_x]);
}
