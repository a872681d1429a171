//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// The second store reaches the next thread's element.

__global__ void ptx_load_store(const float *in, float *out)
{
    unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
    float x;
    asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(x) : "l"(in + index));
    asm volatile("st.global.cg.v2.f32 [%0], {%1, %1};" ::"l"(out + 2 * index), "f"(x) : "memory"); //~ race
    asm volatile("st.global.cg.f32 [%0+8], %1;" ::"l"(out + 2 * index), "f"(x) : "memory"); //~ race
}
