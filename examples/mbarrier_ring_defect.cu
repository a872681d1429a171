//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// As mbarrier_ring.cu, but the producer waits for the other parity: of a phase that is not over
// where it should wait, or of one that nobody completes.

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
    asm volatile("{\n\t.reg .pred complete;\n\tWAIT:\n\t" //~ named-barrier
                 "mbarrier.try_wait.parity.shared.b64 complete, [%0], %1;\n\t"
                 "@complete bra DONE;\n\tbra WAIT;\n\tDONE:\n\t}" ::"r"(place(barrier)),
                 "r"(parity)
                 : "memory");
}

constexpr int S = 4;

__global__ void __launch_bounds__(64) mbarrier_ring(const int *in, int *out, int rounds)
{
    __shared__ int ring[S][32];
    __shared__ unsigned long long full[S], empty[S];
    unsigned lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < S; ++stage) {
            init(&full[stage], 32);
            init(&empty[stage], 32);
        }
    }
    __syncthreads();
    int stage = 0, sum = 0;
    unsigned parity = 0;
    if (threadIdx.x < 32) {
        for (int k = 0; k < rounds; ++k) {
            wait(&empty[stage], parity);
            ring[stage][lane] = in[k * 32 + lane];
            arrive(&full[stage]);
            if (++stage == S) {
                stage = 0;
                parity ^= 1;
            }
        }
    } else {
        for (int k = 0; k < rounds; ++k) {
            wait(&full[stage], parity);
            sum = sum * 3 + ring[stage][lane ^ 1];
            arrive(&empty[stage]);
            if (++stage == S) {
                stage = 0;
                parity ^= 1;
            }
        }
        out[blockIdx.x * 32 + lane] = sum;
    }
}
