// One producer warp and three consumer warps over one buffer, by two named barriers, for any number
// of rounds.
// launch: --local_size=128
// defect: the consumers do not tell that the buffer is empty, and the producer does not wait for it.
// also: the full barrier is used again before its round is complete
// example: nvrtc11 clang
#include "instructions.h"

extern "C" __global__ void __launch_bounds__(128) named_barriers(const float *in, float *out, int rounds)
{
    __shared__ float buffer[32];
    unsigned t = threadIdx.x;
    constexpr unsigned FULL = 1, EMPTY = 2;
    if (t < 32) {
        for (int k = 0; k < rounds; ++k) {
#ifndef DEFECT
            barrier_sync(EMPTY, 128);
#endif
            buffer[t] = in[k * 32 + t]; //~ race shared
            barrier_arrive(FULL, 128);
        }
    } else {
        float sum = 0.0f;
#ifndef DEFECT
        if (rounds > 0) {
            barrier_arrive(EMPTY, 128);
        }
#endif
        for (int k = 0; k < rounds; ++k) {
            barrier_sync(FULL, 128);
            sum += buffer[(t + k) % 32]; //~ race shared
#ifndef DEFECT
            if (k + 1 < rounds) {
                barrier_arrive(EMPTY, 128);
            }
#endif
        }
        out[blockIdx.x * 96 + t - 32] = sum;
    }
}
