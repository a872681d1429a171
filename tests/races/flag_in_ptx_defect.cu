// racy
// run: --block-dim 1 --grid-dim 2
// The store is relaxed.

__global__ void flag_in_ptx(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42; //~ race
        asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
    } else {
        int seen = 0;
        while (seen == 0) {
            asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        }
        *out = *data; //~ race
    }
}
