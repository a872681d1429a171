//pass
//--blockDim=64 --gridDim=16
// Loads and stores of inline PTX with cache operators, of vectors, and at offsets.

__global__ void ptx_load_store(const float4 *in, float *out)
{
    unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
    float x, y, z, w;
    asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
                 : "l"(in + index));
    asm volatile("st.global.cg.v2.f32 [%0], {%1, %2};" ::"l"(out + 4 * index), "f"(x), "f"(y) : "memory");
    asm volatile("st.global.cs.f32 [%0+8], %1;" ::"l"(out + 4 * index), "f"(z) : "memory");
    asm volatile("{ .reg .u64 a; add.u64 a, %0, 12; st.global.wt.f32 [a], %1; }" ::"l"(out + 4 * index), "f"(w)
                 : "memory");
}
