//pass
//--blockDim=128 --gridDim=4 --warp-size=32
// Of HIP's devices some have warps of 32 lanes.

#include <hip/hip_runtime.h>

__global__ void small_warps(int *out)
{
    static_assert(warpSize == 32, "the device is said to have such warps");
    if (threadIdx.x % 32 == 0) {
        out[(blockIdx.x * blockDim.x + threadIdx.x) / warpSize] = threadIdx.x;
    }
}
