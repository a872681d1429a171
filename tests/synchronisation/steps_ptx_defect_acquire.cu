//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The load acquires nothing.

__device__ unsigned made_by_now(const unsigned *made)
{
    unsigned seen;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(made) : "memory");
    return seen;
}

__global__ void steps_ptx(const int *in, int *data, unsigned *made, int *out, unsigned n)
{
    size_t block = blockIdx.x, i = threadIdx.x;
    for (unsigned piece = 0; piece < n; piece++) {
        if (block == 0) {
            data[piece * 64ul + i] = 2 * in[piece * 64ul + i]; //~ race
            __syncthreads();
            if (i == 0)
                asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(made), "r"(piece + 1) : "memory");
        } else {
            if (i == 0)
                while (made_by_now(made) <= piece) {
                }
            __syncthreads();
            out[(block * n + piece) * 64 + i] = data[piece * 64ul + 63 - i]; //~ race
        }
    }
}
