//xfail:NOT_ALL_VERIFIED
//--blockDim=2 --gridDim=1
// In HIP a lane whose number would be flipped out of its warp gets its own value.
#include <hip/hip_runtime.h>

extern "C" __global__ void warp_xor_beyond(int *a)
{
    int t = threadIdx.x;
    int other = __shfl_xor(t, 65);
    a[other == t ? 0 : 1 + t] = t; //~ race
}
