// Two warps hand two buffers to each other by two named barriers, for any number of rounds.
// launch: --local_size=64
// defect: one warp waits for the barriers in the other order: each waits for the other for ever.
// example: clang
#include "instructions.h"

extern "C" __global__ void __launch_bounds__(64) barrier_order(const int *in, int *out, int rounds)
{
    __shared__ int left[32], right[32];
    unsigned lane = threadIdx.x % 32;
    int sum = 0;
    for (int k = 0; k < rounds; ++k) {
        if (threadIdx.x < 32) {
            left[lane] = in[k * 64 + lane];
            barrier_sync(1, 64); //~ protocol
            barrier_sync(2, 64);
            sum = sum * 3 + right[lane ^ 3];
        } else {
            right[lane] = in[k * 64 + 32 + lane];
#ifdef DEFECT
            barrier_sync(2, 64); //~ protocol
            barrier_sync(1, 64);
#else
            barrier_sync(1, 64);
            barrier_sync(2, 64);
#endif
            sum = sum * 3 + left[lane ^ 3];
        }
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
