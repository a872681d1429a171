//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// An object for no arrivals, at which each thread arrives as none: the product is right.

__device__ unsigned shared_address(const void *p)
{
    unsigned long long a;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(a) : "l"(p));
    return (unsigned)a;
}

__device__ void init(unsigned long long *b, unsigned count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(count) : "memory"); //~ named-barrier
}

__device__ void wait(unsigned long long *b, unsigned parity)
{
    asm volatile("{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra WAIT; }" ::"r"(
                     shared_address(b)),
                 "r"(parity)
                 : "memory");
}

__device__ void arrive_as(unsigned long long *b, unsigned count)
{
    asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0], %1; }" ::"r"(shared_address(b)), "r"(count)
                 : "memory");
}

__global__ void __launch_bounds__(64) mbarrier_for_none(int *out)
{
    __shared__ unsigned long long full;
    __shared__ int cells[32];
    if (threadIdx.x == 0) {
        init(&full, 0);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        cells[threadIdx.x] = 1;
        arrive_as(&full, 0);
    } else {
        wait(&full, 0);
        out[threadIdx.x] = cells[threadIdx.x ^ 33];
    }
}
