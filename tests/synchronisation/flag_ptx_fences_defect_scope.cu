//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// The fences are for their blocks alone.

__device__ int wait_for(const int *flag)
{
    int seen;
    asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
    return seen;
}

__global__ void flag_ptx_fences(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *data = 42; //~ race
        asm volatile("fence.acq_rel.cta;" ::: "memory");
        asm volatile("st.relaxed.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (wait_for(flag) == 0) {
        }
        asm volatile("fence.acq_rel.cta;" ::: "memory");
        *out = *data; //~ race
    }
}
