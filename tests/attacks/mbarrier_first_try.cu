//pass
//--local_size=64 --num_groups=1
// A first try, of which nothing but the wait depends.

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

__device__ bool test(unsigned long long *b, unsigned parity)
{
    unsigned done;
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(shared_address(b)), "r"(parity)
                 : "memory");
    return done;
}

__global__ void __launch_bounds__(64) mbarrier_first_try(int *out)
{
    __shared__ unsigned long long full;
    __shared__ int cells[32];
    if (threadIdx.x == 0) {
        init(&full, 32);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        cells[threadIdx.x] = threadIdx.x;
        arrive(&full);
    } else {
        if (!test(&full, 0)) {
            wait(&full, 0);
        }
        out[threadIdx.x] = cells[threadIdx.x ^ 33];
    }
}
