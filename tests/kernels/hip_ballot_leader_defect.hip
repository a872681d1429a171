//xfail:NOT_ALL_VERIFIED
//--blockDim=128 --gridDim=64
// Half of the ballot is looked at, in both halves of the warp.

#include <hip/hip_runtime.h>

__global__ void ballot_leader(const float *in, int *count)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long positive = __ballot(in[thread] > 0.0f);
    int lane = threadIdx.x % warpSize;
    if (__ffs((unsigned)positive) - 1 == lane % 32) {
        count[thread / warpSize] = __popcll(positive) + lane; //~ race
    }
}
