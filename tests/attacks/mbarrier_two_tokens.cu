//pass
//--local_size=64 --num_groups=1
// Each object is asked for its own token.

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

__device__ unsigned long long token_of(unsigned long long *b)
{
    unsigned long long t;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(t) : "r"(shared_address(b)) : "memory");
    return t;
}

__device__ void wait_token(unsigned long long *b, unsigned long long token)
{
    asm volatile("{ .reg .pred p; WAIT: mbarrier.try_wait.shared.b64 p, [%0], %1; @!p bra WAIT; }" ::"r"(
                     shared_address(b)),
                 "l"(token)
                 : "memory");
}

__global__ void __launch_bounds__(64) mbarrier_two_tokens(int *out)
{
    __shared__ unsigned long long a, b;
    __shared__ int cells[64];
    if (threadIdx.x == 0) {
        init(&a, 64);
        init(&b, 64);
    }
    __syncthreads();
    cells[threadIdx.x] = 1;
    unsigned long long s = token_of(&a);
    unsigned long long t = token_of(&b);
    wait_token(&a, s);
    wait_token(&b, t);
    out[threadIdx.x] = cells[threadIdx.x ^ 33];
}
