//unknown
//--local_size=64 --num_groups=1
// A store behind the end of an array of a struct changes the object there, in one launch of many.

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

__global__ void __launch_bounds__(64) mbarrier_behind_an_array(int *out, const int *in, int n)
{
    __shared__ struct { int cells[33]; int pad; unsigned long long full; } s;
    if (threadIdx.x == 0) {
        init(&s.full, 32);
        int *c = s.cells;
        c[33 + (n == 5)] = 0;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        s.cells[threadIdx.x] = 1;
        arrive(&s.full);
    } else {
        wait(&s.full, 0);
        out[threadIdx.x] = s.cells[threadIdx.x ^ 33];
    }
}
