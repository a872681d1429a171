// A thread block waits for the one before it by a flag: release behind the write, acquire before the
// read.
// launch: --local_size=64
// defect: the flag is set by a relaxed store.
// skip: nvrtc11
// arch: 80 100
#include "instructions.h"

__device__ __forceinline__ void set(int *flag)
{
#ifdef DEFECT
    asm volatile("st.relaxed.gpu.global.s32 [%0], 1;" ::"l"(global_address(flag)) : "memory");
#else
    asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(global_address(flag)) : "memory");
#endif
}
__device__ __forceinline__ int get(int *flag)
{
    int value;
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(global_address(flag)) : "memory");
    return value;
}

extern "C" __global__ void __launch_bounds__(64) flag_release(const int *in, int *sums, int *flags)
{
    int block = blockIdx.x;
    if (threadIdx.x == 0) {
        int sum = in[block];
        if (block > 0) {
            while (get(&flags[block - 1]) == 0) {
            }
            sum += sums[block - 1]; //~ race global
        }
        sums[block] = sum; //~ race global
        set(&flags[block]);
    }
}
