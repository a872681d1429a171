//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A warp waits for a phase that nobody completes. It has no end at which that would be noticed.

__device__ unsigned shared_address(const void *p)
{
    unsigned long long a;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(a) : "l"(p));
    return (unsigned)a;
}

__device__ void init(unsigned long long *b, unsigned count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(count) : "memory");
}

__device__ void arrive(unsigned long long *b)
{
    asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(shared_address(b)) : "memory");
}

__device__ void wait(unsigned long long *b, unsigned parity)
{
    asm volatile("{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra WAIT; }" ::"r"( //~ named-barrier
                     shared_address(b)),
                 "r"(parity)
                 : "memory");
}

__global__ void __launch_bounds__(64) mbarrier_waits_then_traps(int *out, int n)
{
    __shared__ unsigned long long full;
    __shared__ int cells[32];
    if (threadIdx.x == 0) {
        init(&full, 32);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        cells[threadIdx.x] = 1;
        arrive(&full);
    } else {
        wait(&full, 0);
        out[threadIdx.x] = cells[threadIdx.x ^ 33];
        wait(&full, 1);
        __trap();
    }
}
