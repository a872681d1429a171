//xfail:NOT_ALL_VERIFIED
//--blockDim=128 --gridDim=4 --warp-size=32
// Two threads of a warp of 32 lanes are its first.

#include <hip/hip_runtime.h>

__global__ void small_warps(int *out)
{
    static_assert(warpSize == 32, "the device is said to have such warps");
    if (threadIdx.x % 16 == 0) {
        out[(blockIdx.x * blockDim.x + threadIdx.x) / warpSize] = threadIdx.x; //~ race
    }
}
