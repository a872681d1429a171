//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// A flag that blocks write, and read as if only the own block did.

__global__ void ptx_scoped_accesses(int *flag, int *out)
{
    int found;
    asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(flag), "r"(blockIdx.x) : "memory"); //~ race
    asm volatile("ld.relaxed.cta.u32 %0, [%1];" : "=r"(found) : "l"(flag) : "memory"); //~ race
    out[blockIdx.x * 64 + threadIdx.x] = found;
}
