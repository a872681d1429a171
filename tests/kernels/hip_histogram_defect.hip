//xfail:NOT_ALL_VERIFIED
//--blockDim=256 --gridDim=*
// What several threads count is not counted atomically.

#include <hip/hip_runtime.h>

__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    __shared__ unsigned own[256];
    own[hipThreadIdx_x] = 0;
    __syncthreads();
    for (int i = hipBlockIdx_x * 256 + hipThreadIdx_x; i < n; i += 256 * hipGridDim_x) {
        own[data[i]]++; //~ race
    }
    __syncthreads();
    atomicAdd(&bins[hipThreadIdx_x], own[hipThreadIdx_x]);
}
