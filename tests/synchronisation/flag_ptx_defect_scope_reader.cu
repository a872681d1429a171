//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// The load acquires from its block alone.

__device__ int wait_for(const int *flag)
{
    int seen;
    asm volatile("ld.acquire.cta.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory"); //~ race
    return seen;
}

__global__ void flag_ptx(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *data = 42;
        asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory"); //~ race
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (wait_for(flag) == 0) {
        }
        *out = *data;
    }
}
