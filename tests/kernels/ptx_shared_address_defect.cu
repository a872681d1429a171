//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// Shared memory by addresses of 32 bits, in which two threads share an element.

__global__ void ptx_shared_address(int *out)
{
    __shared__ int a[64];
    unsigned address = (unsigned)__cvta_generic_to_shared(a);
    int value = out[blockIdx.x * 64 + threadIdx.x];
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(address + 4 * (threadIdx.x / 2)), "r"(value) : "memory"); //~ race
}
