//unknown
//--local_size=64 --num_groups=1
// Only 0 and 1 are parities, whatever the other bits are.

__device__ unsigned place(unsigned long long *barrier) { return (unsigned)__cvta_generic_to_shared(barrier); }

__global__ void __launch_bounds__(64) parity_of_two(int *out)
{
    __shared__ unsigned long long met;
    __shared__ int cells[64];
    int t = threadIdx.x;
    if (t == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(place(&met)), "r"(64) : "memory");
    }
    __syncthreads();
    cells[t] = t;
    asm volatile("{ .reg .b64 token; mbarrier.arrive.shared.b64 token, [%0]; }" ::"r"(place(&met)) : "memory");
    asm volatile("{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra WAIT; }" ::"r"(
                     place(&met)),
                 "r"(2)
                 : "memory");
    out[t] = cells[63 - t];
}
