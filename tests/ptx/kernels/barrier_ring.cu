// A ring of S buffers by named barriers, each for one producer and one consumer warp: both numbers
// and the buffer are loop-carried counters that start again at zero.
// launch: --local_size=64
// defect: the consumer tells that a buffer is empty before it has read it.
// example: clang
#include "instructions.h"

constexpr int S = 3;

extern "C" __global__ void __launch_bounds__(64) barrier_ring(const int *in, int *out, int rounds)
{
    __shared__ int ring[S][32];
    unsigned lane = threadIdx.x % 32;
    int buffer = 0, sum = 0;
    if (threadIdx.x < 32) {
        for (int k = 0; k < rounds; ++k) {
            if (k >= S) {
                barrier_sync(1 + S + buffer, 64);
            }
            ring[buffer][lane] = in[k * 32 + lane]; //~ race shared
            barrier_arrive(1 + buffer, 64);
            buffer = buffer + 1 == S ? 0 : buffer + 1;
        }
    } else {
        for (int k = 0; k < rounds; ++k) {
            barrier_sync(1 + buffer, 64);
#ifdef DEFECT
            if (rounds - k > S) {
                barrier_arrive(1 + S + buffer, 64);
            }
#endif
            sum = sum * 3 + ring[buffer][lane ^ 1]; //~ race shared
#ifndef DEFECT
            if (rounds - k > S) {
                barrier_arrive(1 + S + buffer, 64);
            }
#endif
            buffer = buffer + 1 == S ? 0 : buffer + 1;
        }
        out[blockIdx.x * 32 + lane] = sum;
    }
}
