// A ring of S buffers by mbarriers in dynamic shared memory, S known at the launch only.
// launch: --local_size=64
// defect: the consumer's buffer is the next one.
// arch: 90 100
// skip: nvrtc11
#include "instructions.h"

extern "C" __global__ void __launch_bounds__(64) symbolic_ring(const int *in, int *out, int rounds, int stages)
{
    if (stages < 1) {
        return;
    }
    extern __shared__ mbarrier memory[];
    mbarrier *full = memory, *empty = memory + stages;
    int *ring = (int *)(memory + 2 * stages);
    unsigned lane = threadIdx.x % 32;
    for (int s = threadIdx.x; s < stages; s += 64) {
        mbarrier_init(&full[s], 32);
        mbarrier_init(&empty[s], 32);
    }
    __syncthreads();
    int stage = 0, sum = 0;
    unsigned parity = 0;
    if (threadIdx.x < 32) {
        for (int k = 0; k < rounds; ++k) {
            mbarrier_wait(&empty[stage], parity ^ 1);
            ring[stage * 32 + lane] = in[k * 32 + lane]; //~ race shared
            mbarrier_arrive(&full[stage]);
            if (++stage == stages) {
                stage = 0;
                parity ^= 1;
            }
        }
    } else {
        for (int k = 0; k < rounds; ++k) {
            mbarrier_wait(&full[stage], parity);
#ifdef DEFECT
            int buffer = stage + 1 == stages ? 0 : stage + 1;
#else
            int buffer = stage;
#endif
            sum = sum * 3 + ring[buffer * 32 + (lane ^ 1)]; //~ race shared
            mbarrier_arrive(&empty[stage]);
            if (++stage == stages) {
                stage = 0;
                parity ^= 1;
            }
        }
        out[blockIdx.x * 32 + lane] = sum;
    }
}
