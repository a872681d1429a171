// The last thread block to finish adds the sums of all: a fence, an atomic counter, and a barrier.
// launch: --local_size=128
// defect: the fence between the sum and the counter is missing.
// example: nvcc
#include "device.h"

extern "C" __global__ void __launch_bounds__(128) last_block(const float *in, float *sums, unsigned *finished, float *out)
{
    __shared__ bool is_last;
    unsigned t = threadIdx.x;
    if (t == 0) {
        float sum = 0.0f;
        for (int k = 0; k < 128; ++k) {
            sum += in[blockIdx.x * 128 + k];
        }
        sums[blockIdx.x] = sum; //~ race global
#ifndef DEFECT
        __threadfence();
#endif
        is_last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && t == 0) {
        __threadfence();
        float sum = 0.0f;
        for (unsigned k = 0; k < gridDim.x; ++k) {
            sum += ((volatile float *)sums)[k]; //~ race global
        }
        *out = sum;
    }
}
