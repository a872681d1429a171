// A ring of four buffers that two producer warps fill in turn and three consumer warps empty
// together, by mbarriers; one lane arrives for its warp.
// launch: --local_size=160
// defect: a consumer warp's lane arrives without waiting for the others of its warp.
// arch: 80 90
// skip: nvrtc11
#include "instructions.h"

constexpr int S = 4, PRODUCERS = 2, CONSUMERS = 3, WIDTH = 96;

extern "C" __global__ void __launch_bounds__(160) ring_of_warps(const float *in, float *out, int rounds)
{
    __shared__ float ring[S][WIDTH];
    __shared__ mbarrier full[S], empty[S];
    unsigned lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    if (threadIdx.x < S) {
        mbarrier_init(&full[threadIdx.x], 1);
        mbarrier_init(&empty[threadIdx.x], CONSUMERS);
    }
    __syncthreads();
    if (warp < PRODUCERS) {
        int mine = rounds > warp ? (rounds - warp - 1) / PRODUCERS + 1 : 0;
        for (int j = 0; j < mine; ++j) {
            int k = j * PRODUCERS + warp;
            mbarrier_wait_by_loop(&empty[k % S], k / S % 2 ^ 1);
            for (int i = lane; i < WIDTH; i += 32) {
                ring[k % S][i] = in[k * WIDTH + i]; //~ race shared
            }
            __syncwarp();
            if (lane == 0) {
                mbarrier_arrive(&full[k % S]);
            }
        }
    } else {
        float sum = 0.0f;
        for (int k = 0; k < rounds; ++k) {
            mbarrier_wait_by_loop(&full[k % S], k / S % 2);
            sum += ring[k % S][(warp - PRODUCERS) * 32 + (lane ^ 7)]; //~ race shared
#ifndef DEFECT
            __syncwarp();
#endif
            if (lane == 0) {
                mbarrier_arrive(&empty[k % S]);
            }
        }
        out[blockIdx.x * WIDTH + threadIdx.x - PRODUCERS * 32] = sum;
    }
}
