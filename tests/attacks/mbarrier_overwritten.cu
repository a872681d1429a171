//unknown
//--local_size=64 --num_groups=1
// A store to the memory of an mbarrier destroys it, even one that is ordered by a barrier.

__device__ unsigned place(unsigned long long *barrier) { return (unsigned)__cvta_generic_to_shared(barrier); }

__global__ void __launch_bounds__(64) overwritten(int *out)
{
    __shared__ unsigned long long met;
    __shared__ int cells[64];
    int t = threadIdx.x;
    if (t == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(place(&met)), "r"(64) : "memory"); //~ unsupported
    }
    __syncthreads();
    if (t == 0) {
        met = 0;
    }
    __syncthreads();
    cells[t] = t;
    asm volatile("{ .reg .b64 token; mbarrier.arrive.shared.b64 token, [%0]; }" ::"r"(place(&met)) : "memory");
    asm volatile("{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra WAIT; }" ::"r"(
                     place(&met)),
                 "r"(0)
                 : "memory");
    out[t] = cells[63 - t];
}
