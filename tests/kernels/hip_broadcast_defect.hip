//xfail:NOT_ALL_VERIFIED
//--blockDim=128 --gridDim=4
// A segment is half of a warp of 64 lanes: each half has a first lane.

#include <hip/hip_runtime.h>

__global__ void broadcast(int *out)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % warpSize;
    if (__shfl(lane, 0, 32) == lane) {
        out[thread / warpSize] = thread; //~ race
    }
}
