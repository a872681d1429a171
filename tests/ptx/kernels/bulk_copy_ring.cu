// A ring of two buffers that one thread fills by bulk copies: each phase of the full barrier expects the bytes of its copy.
// launch: --local_size=160
// defect: the barrier expects 16 bytes less than the copy has.
// flaw: a data race between the read in line 47 and the next bulk copy of line 36: no fence.proxy.async is between them
// arch: 90 100
// skip: nvrtc11
// example: nvrtc
#include "instructions.h"

constexpr int S = 2, WIDTH = 128;

extern "C" __global__ void __launch_bounds__(160) bulk_copy_ring(const float *in, float *out, int rounds)
{
    __shared__ __attribute__((aligned(128))) float ring[S][WIDTH];
    __shared__ mbarrier full[S], empty[S];
    unsigned t = threadIdx.x;
    if (t == 0) {
        for (int s = 0; s < S; ++s) {
            mbarrier_init(&full[s], 1);
            mbarrier_init(&empty[s], WIDTH);
        }
        fence_mbarrier_init();
    }
    __syncthreads();
    int buffer = 0;
    unsigned parity = 0;
    if (t >= WIDTH) {
        if (t == WIDTH) {
            for (int k = 0; k < rounds; ++k) {
                mbarrier_wait(&empty[buffer], parity ^ 1);
#ifdef DEFECT
                mbarrier_arrive_expect(&full[buffer], WIDTH * 4 - 16); //~ protocol
#else
                mbarrier_arrive_expect(&full[buffer], WIDTH * 4);
#endif
                copy_bulk(ring[buffer], in + k * WIDTH, WIDTH * 4, &full[buffer]); //~ protocol
                if (++buffer == S) {
                    buffer = 0;
                    parity ^= 1;
                }
            }
        }
    } else {
        float sum = 0.0f;
        for (int k = 0; k < rounds; ++k) {
            mbarrier_wait_by_loop(&full[buffer], parity);
            sum += ring[buffer][(t * 5) % WIDTH];
            mbarrier_arrive(&empty[buffer]);
            if (++buffer == S) {
                buffer = 0;
                parity ^= 1;
            }
        }
        out[blockIdx.x * WIDTH + t] = sum;
    }
}
