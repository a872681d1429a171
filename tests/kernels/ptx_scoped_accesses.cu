//pass
//--blockDim=64 --gridDim=16
// A flag that blocks write and read, with orderings and scopes.

__global__ void ptx_scoped_accesses(int *flag, int *out)
{
    int found;
    asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(flag), "r"(1) : "memory");
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(found) : "l"(flag) : "memory");
    out[blockIdx.x * 64 + threadIdx.x] = found;
}
