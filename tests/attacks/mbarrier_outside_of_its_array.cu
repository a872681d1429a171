//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// An mbarrier lies behind the end of the array.

__device__ unsigned place(unsigned long long *barrier) { return (unsigned)__cvta_generic_to_shared(barrier); }

__device__ void init(unsigned long long *barrier, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(place(barrier)), "r"(arrivals) : "memory"); //~ out-of-bounds
}

__device__ void arrive(unsigned long long *barrier)
{
    asm volatile("{ .reg .b64 token; mbarrier.arrive.shared.b64 token, [%0]; }" ::"r"(place(barrier)) : "memory");
}

__device__ void wait(unsigned long long *barrier, unsigned parity)
{
    asm volatile("{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra WAIT; }" ::"r"(
                     place(barrier)),
                 "r"(parity)
                 : "memory");
}

__global__ void __launch_bounds__(64) outside_of_its_array(int *out)
{
    __shared__ unsigned long long barriers[2];
    __shared__ int cells[32];
    unsigned long long *full = barriers + 2;
    unsigned t = threadIdx.x;
    if (t == 0) {
        init(full, 32);
    }
    __syncthreads();
    if (t < 32) {
        cells[t] = 1;
        arrive(full);
    } else {
        wait(full, 0);
        out[t] = cells[t ^ 33];
    }
}
