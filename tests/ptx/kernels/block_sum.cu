// A sum for each thread block, by a tree in shared memory with a barrier at each level.
// launch: --local_size=256
// defect: the barrier between two levels is missing.
// example: clang nvcc nvrtc
// arch: 80 100
#include "device.h"

extern "C" __global__ void __launch_bounds__(256) block_sum(const float *in, float *out, int n)
{
    __shared__ float partial[256];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) {
        sum += in[i];
    }
    partial[t] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half >>= 1) {
        if (t < half) {
            partial[t] += partial[t + half]; //~ race shared
        }
#ifndef DEFECT
        __syncthreads();
#endif
    }
    if (t == 0) {
        out[blockIdx.x] = partial[0];
    }
}
