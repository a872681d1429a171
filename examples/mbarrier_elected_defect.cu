//xfail:NOT_ALL_VERIFIED
//--local_size=96 --num_groups=2
// As mbarrier_elected.cu, but the lane that gives a buffer back does not wait for the others of its
// warp, which may still read.

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
    asm volatile("{\n\t.reg .pred complete;\n\tWAIT:\n\t"
                 "mbarrier.try_wait.parity.shared.b64 complete, [%0], %1;\n\t"
                 "@complete bra DONE;\n\tbra WAIT;\n\tDONE:\n\t}" ::"r"(place(barrier)),
                 "r"(parity)
                 : "memory");
}

constexpr int S = 2;

__global__ void __launch_bounds__(96) mbarrier_elected(const int *in, int *out, int rounds)
{
    __shared__ int ring[S][64];
    __shared__ unsigned long long full[S], empty[S];
    unsigned t = threadIdx.x, lane = t % 32;
    if (t < S) {
        init(&full[t], 1);
        init(&empty[t], 2);
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < rounds; ++k) {
            wait(&empty[k % S], k / S % 2 ^ 1);
            ring[k % S][lane] = in[k * 64 + lane]; //~ race
            ring[k % S][lane + 32] = in[k * 64 + lane + 32];
            __syncwarp();
            if (lane == 0) {
                arrive(&full[k % S]);
            }
        }
    } else {
        int sum = 0;
        for (int k = 0; k < rounds; ++k) {
            wait(&full[k % S], k / S % 2);
            sum += ring[k % S][(t - 32) ^ 7]; //~ race
            if (lane == 0) {
                arrive(&empty[k % S]);
            }
        }
        out[blockIdx.x * 64 + t - 32] = sum;
    }
}
