//unknown
//--local_size=64 --num_groups=1
// In launches that are not small, all threads initialise an object that nobody uses: a race.

__device__ unsigned place(unsigned long long *barrier) { return (unsigned)__cvta_generic_to_shared(barrier); }

__device__ void init(unsigned long long *barrier, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(place(barrier)), "r"(arrivals) : "memory");
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

__global__ void __launch_bounds__(64) rarely_by_all(int *out, int n)
{
    __shared__ unsigned long long barriers[3];
    __shared__ int cells[32];
    unsigned long long *full = barriers;
    unsigned t = threadIdx.x;
    if (t == 0) {
        init(full, 32);
    }
    __syncthreads();
    if (n == 1000) {
        init(barriers + 2, 1);
    }
    if (t < 32) {
        cells[t] = 1;
        arrive(full);
    } else {
        wait(full, 0);
        out[t] = cells[t ^ 33];
    }
}
