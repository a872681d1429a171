//pass
//--blockDim=128 --gridDim=8
// The upper half of each warp waits for itself: a mask has 64 bits.

#include <hip/hip_runtime.h>

__global__ void lane_masks(int *out)
{
    __shared__ int values[128];
    values[threadIdx.x] = threadIdx.x;
    if (threadIdx.x % warpSize >= 32) {
        __syncwarp(0xffffffff00000000);
        out[blockIdx.x * blockDim.x + threadIdx.x] = values[threadIdx.x ^ 1];
    }
}
