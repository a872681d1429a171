//unknown
//--local_size=64 --num_groups=1
// Objects and data share an array, apart from each other, which is not proved.

__device__ unsigned shared_address(const void *p)
{
    unsigned long long a;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(a) : "l"(p));
    return (unsigned)a;
}

__device__ void init(unsigned long long *b, unsigned count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(count) : "memory"); //~ unsupported
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

extern __shared__ unsigned long long pool[];
__global__ void __launch_bounds__(64) mbarrier_in_a_pool(int *out, const int *in, int n)
{
    unsigned long long *full = pool, *empty = pool + 1;
    int *cells = (int *)(pool + 2);
    int sum = 0;
    if (threadIdx.x == 0) {
        init(full, 32);
        init(empty, 32);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int k = 0; k < n; ++k) {
            wait(empty, (k & 1) ^ 1);
            cells[threadIdx.x] = k;
            arrive(full);
        }
    } else {
        for (int k = 0; k < n; ++k) {
            wait(full, k & 1);
            sum += cells[threadIdx.x ^ 33];
            arrive(empty);
        }
        out[threadIdx.x] = sum;
    }
}
