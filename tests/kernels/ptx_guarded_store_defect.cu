//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// A store of inline PTX that all threads of a block but the first execute.

__global__ void ptx_guarded_store(int *out)
{
    asm volatile("{ .reg .pred p; setp.eq.u32 p, %2, 0; @!p st.global.u32 [%0], %1; }" //~ race
                 ::"l"(out + blockIdx.x), "r"(threadIdx.x), "r"(threadIdx.x)
                 : "memory");
}
