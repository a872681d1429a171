// A tree reduction without optimisation: variables and parameters live in local memory.
// launch: --local_size=64
// defect: the barrier in the loop is missing.
// only: clang
// options: clang -O0
#include "device.h"

extern "C" __global__ void unoptimised(const float *in, float *out)
{
    __shared__ float partial[64];
    float *mine = &partial[threadIdx.x];
    *mine = in[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    for (unsigned half = 32; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            *mine += mine[half]; //~ race shared
        }
#ifndef DEFECT
        __syncthreads();
#endif
    }
    if (threadIdx.x == 0) {
        out[blockIdx.x] = partial[0];
    }
}
