//xfail:NOT_ALL_VERIFIED
//--blockDim=128 --gridDim=8
// The mask names the lower half of a warp of 64 lanes; the upper half waits.

#include <hip/hip_runtime.h>

__global__ void lane_masks(int *out)
{
    __shared__ int values[128];
    values[threadIdx.x] = threadIdx.x;
    if (threadIdx.x % warpSize >= 32) {
        __syncwarp(0xffffffff); //~ lane-not-in-mask
        out[blockIdx.x * blockDim.x + threadIdx.x] = values[threadIdx.x ^ 1];
    }
}
