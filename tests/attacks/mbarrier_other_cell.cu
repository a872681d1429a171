//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// The consumer waits for the one buffer, and reads the other one.

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

__global__ void __launch_bounds__(64) mbarrier_other_cell(int *out, int n)
{
    __shared__ unsigned long long full[2];
    __shared__ int cells[2][32];
    if (threadIdx.x == 0) {
        init(&full[0], 32);
        init(&full[1], 32);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int k = 0; k < 2; ++k) {
            cells[k][threadIdx.x] = k; //~ race
            arrive(&full[k]);
        }
    } else {
        int s = 0;
        for (int k = 0; k < 2; ++k) {
            wait(&full[k], 0);
            s += cells[1 - k][threadIdx.x ^ 33]; //~ race
        }
        out[threadIdx.x] = s;
    }
}
