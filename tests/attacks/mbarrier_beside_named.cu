//pass
//--local_size=64 --num_groups=1
// An arrival before a named barrier makes no circle.

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
    asm volatile("{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra WAIT; }" ::"r"(
                     shared_address(b)),
                 "r"(parity)
                 : "memory");
}

__device__ void barrier_sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__global__ void __launch_bounds__(64) mbarrier_beside_named(int *out)
{
    __shared__ unsigned long long full;
    if (threadIdx.x == 0) {
        init(&full, 32);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        arrive(&full);
        barrier_sync(1, 64);
    } else {
        wait(&full, 0);
        barrier_sync(1, 64);
    }    out[blockIdx.x * 64 + threadIdx.x] = 1;
}
