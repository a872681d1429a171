//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A cell that has changed between two reads decides who writes.

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

__global__ void __launch_bounds__(64) mbarrier_stale_branch(int *out)
{
    __shared__ unsigned long long a, b;
    __shared__ int cell;
    if (threadIdx.x == 0) {
        cell = 5;
        init(&a, 32);
        init(&b, 32);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        int x = cell;
        arrive(&a);
        wait(&b, 0);
        int y = cell;
        if (x != y) {
            out[0] = threadIdx.x; //~ race
        } else {
            out[1 + threadIdx.x] = 1;
        }
    } else {
        wait(&a, 0);
        if (threadIdx.x == 32) {
            cell = 6;
        }
        arrive(&b);
    }
}
