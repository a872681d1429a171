// A sum by shuffles within warps, one cell a warp in shared memory, and votes.
// launch: --local_size=256
// defect: the barrier between the warps' sums and the first warp's reading is missing.
// example: nvrtc
// arch: 80 100
#include "device.h"

extern "C" __global__ void __launch_bounds__(256) warp_sum(const float *in, float *out, unsigned *positive, int n)
{
    __shared__ float sums[8];
    unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
    int i = blockIdx.x * 256 + t;
    float v = i < n ? in[i] : 0.0f;
    unsigned votes = __ballot_sync(~0u, v > 0.0f);
    for (int by = 16; by > 0; by >>= 1) {
        v += __shfl_down_sync(~0u, v, by);
    }
    if (lane == 0) {
        sums[warp] = v; //~ race shared
        positive[blockIdx.x * 8 + warp] = votes;
    }
#ifndef DEFECT
    __syncthreads();
#endif
    if (warp == 0) {
        float sum = lane < 8 ? sums[lane] : 0.0f; //~ race shared
        for (int by = 4; by > 0; by >>= 1) {
            sum += __shfl_xor_sync(~0u, sum, by);
        }
        if (lane == 0 && __any_sync(1u, sum != 0.0f)) {
            out[blockIdx.x] = sum;
        }
    }
}
