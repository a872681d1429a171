//pass
//--blockDim=64 --gridDim=16
// A store of inline PTX that only the first thread of a block executes.

__global__ void ptx_guarded_store(int *out)
{
    asm volatile("{\n"
                 "  .reg .pred p;\n"
                 "  setp.eq.u32 p, %2, 0;\n"
                 "  @p st.global.u32 [%0], %1;\n"
                 "}" ::"l"(out + blockIdx.x), "r"(threadIdx.x), "r"(threadIdx.x)
                 : "memory");
}
