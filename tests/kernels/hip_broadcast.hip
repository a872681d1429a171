//pass
//--blockDim=128 --gridDim=4
// All 64 lanes of a warp ask the first one, where no width is given.

#include <hip/hip_runtime.h>

__global__ void broadcast(int *out)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % warpSize;
    if (__shfl(lane, 0) == lane) {
        out[thread / warpSize] = thread;
    }
}
