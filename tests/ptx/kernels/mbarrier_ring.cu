// A ring of S buffers by mbarriers, with one producer warp and one consumer warp: the phase's parity flips when the counter starts again.
// launch: --local_size=64
// defect: the producer waits for the parity that it should not wait for, and overtakes the consumer.
// also: the producer waits for ever if the consumer has emptied the buffer by then
// arch: 90 100
// skip: nvrtc11
// example: nvcc
#include "instructions.h"

constexpr int S = 4;

extern "C" __global__ void __launch_bounds__(64) mbarrier_ring(const int *in, int *out, int rounds)
{
    __shared__ int ring[S][32];
    __shared__ mbarrier full[S], empty[S];
    unsigned lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        for (int s = 0; s < S; ++s) {
            mbarrier_init(&full[s], 32);
            mbarrier_init(&empty[s], 32);
        }
    }
    __syncthreads();
    int buffer = 0, sum = 0;
    unsigned parity = 0;
    if (threadIdx.x < 32) {
        for (int k = 0; k < rounds; ++k) {
            // A barrier that nobody has used yet has completed the phase before the first.
#ifdef DEFECT
            if (k >= S) {
                mbarrier_wait(&empty[buffer], parity);
            }
#else
            mbarrier_wait(&empty[buffer], parity ^ 1);
#endif
            ring[buffer][lane] = in[k * 32 + lane]; //~ race shared
            mbarrier_arrive(&full[buffer]);
            if (++buffer == S) {
                buffer = 0;
                parity ^= 1;
            }
        }
    } else {
        for (int k = 0; k < rounds; ++k) {
            mbarrier_wait_by_loop(&full[buffer], parity);
            sum = sum * 3 + ring[buffer][lane ^ 1]; //~ race shared
            mbarrier_arrive(&empty[buffer]);
            if (++buffer == S) {
                buffer = 0;
                parity ^= 1;
            }
        }
        out[blockIdx.x * 32 + lane] = sum;
    }
}
