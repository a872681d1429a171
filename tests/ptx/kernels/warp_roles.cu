// Roles as in large matrix kernels: an elected thread copies by bulk copies, two warp groups read;
// registers are moved between them, and the next grid may start early.
// launch: --local_size=384
// defect: only one of the two warp groups arrives at the empty barrier, whose count is two.
// arch: 90a 100a
// skip: nvrtc11 clang
#include "instructions.h"

constexpr int STAGES = 3, WIDTH = 1024;

__device__ __forceinline__ bool elect()
{
    unsigned chosen;
    asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, 0xffffffff;\n\tselp.u32 %0, 1, 0, p;\n\t}" : "=r"(chosen));
    return chosen;
}

extern "C" __global__ void __launch_bounds__(384) warp_roles(const float *in, float *out, int rounds)
{
    extern __shared__ __attribute__((aligned(128))) float stages[];
    __shared__ mbarrier full[STAGES], empty[STAGES];
    int group = __shfl_sync(~0u, (int)threadIdx.x / 128, 0);
    unsigned t = threadIdx.x % 128;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; ++s) {
            mbarrier_init(&full[s], 1);
            mbarrier_init(&empty[s], 2);
        }
        fence_mbarrier_init();
    }
    asm volatile("griddepcontrol.wait;" ::: "memory");
    __syncthreads();
    int stage = 0;
    unsigned parity = 0;
    if (group == 0) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (t < 32 && elect()) {
            for (int k = 0; k < rounds; ++k) {
                mbarrier_wait(&empty[stage], parity ^ 1); //~ protocol
                mbarrier_arrive_expect(&full[stage], WIDTH * 4);
                copy_bulk(stages + stage * WIDTH, in + (unsigned long long)(blockIdx.x * rounds + k) * WIDTH, WIDTH * 4, &full[stage]);
                if (++stage == STAGES) {
                    stage = 0;
                    parity ^= 1;
                }
            }
        }
        asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        float sum = 0.0f;
        for (int k = 0; k < rounds; ++k) {
            mbarrier_wait(&full[stage], parity);
            for (int j = 0; j < 4; ++j) {
                sum += stages[stage * WIDTH + (group - 1) * 512 + j * 128 + (t ^ 5)];
            }
            // The warp group's own barrier, so that one thread can arrive for all.
            barrier_sync(group, 128);
#ifdef DEFECT
            if (t == 0 && group == 1) {
#else
            if (t == 0) {
#endif
                mbarrier_arrive(&empty[stage]); //~ protocol
            }
            if (++stage == STAGES) {
                stage = 0;
                parity ^= 1;
            }
        }
        out[blockIdx.x * 256 + threadIdx.x - 128] = sum;
    }
}
