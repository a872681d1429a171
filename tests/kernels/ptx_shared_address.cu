//pass
//--blockDim=64 --gridDim=16
// Shared memory by addresses of 32 bits.

__global__ void ptx_shared_address(int *out)
{
    __shared__ int a[64];
    unsigned address = (unsigned)__cvta_generic_to_shared(a);
    int value = out[blockIdx.x * 64 + threadIdx.x];
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(address + 4 * threadIdx.x), "r"(value) : "memory");
    asm volatile("barrier.sync 0;" ::: "memory");
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(address + 4 * (threadIdx.x ^ 1)) : "memory");
    out[blockIdx.x * 64 + threadIdx.x] = value;
}
