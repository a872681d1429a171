// A software pipeline of asynchronous copies: three stages, of which two are in flight.
// launch: --local_size=128
// defect: each round waits for one group less, and reads a stage whose copy may not be done.
// skip: nvrtc11
// example: nvcc
#include "instructions.h"

constexpr int STAGES = 3;

extern "C" __global__ void __launch_bounds__(128) async_copy_stages(const float *in, float *out, int rounds)
{
    __shared__ float stage[STAGES][128];
    unsigned t = threadIdx.x;
    const float *from = in + (unsigned long long)blockIdx.x * rounds * 128 + t;
    for (int s = 0; s < STAGES - 1; ++s) {
        if (s < rounds) {
            copy_async_4(&stage[s][t], from + s * 128); //~ race shared
        }
        commit_copies();
    }
    float sum = 0.0f;
    for (int k = 0; k < rounds; ++k) {
#ifdef DEFECT
        wait_copies<STAGES - 1>();
#else
        wait_copies<STAGES - 2>();
#endif
        __syncthreads();
        if (rounds - k >= STAGES) {
            int next = k + STAGES - 1;
            copy_async_4(&stage[next % STAGES][t], from + next * 128); //~ race shared
        }
        commit_copies();
        sum += stage[k % STAGES][t ^ 1] * stage[k % STAGES][t]; //~ race shared
    }
    out[blockIdx.x * 128 + t] = sum;
}
