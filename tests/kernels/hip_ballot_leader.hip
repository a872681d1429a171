//pass
//--blockDim=128 --gridDim=64
// Of the lanes that a ballot of 64 bits names the first one writes.

#include <hip/hip_runtime.h>

__global__ void ballot_leader(const float *in, int *count)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long positive = __ballot(in[thread] > 0.0f);
    int lane = threadIdx.x % warpSize;
    if (__ffsll(positive) - 1 == lane) {
        count[thread / warpSize] = __popcll(positive) + lane;
    }
}
