//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// As named_barrier_ring.cu, but what is read is the next buffer.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__device__ void arrive(unsigned number, unsigned threads)
{
    asm volatile("barrier.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

constexpr int S = 3;

__global__ void __launch_bounds__(64) named_barrier_ring(const int *in, int *out, int rounds)
{
    __shared__ int ring[S][32];
    unsigned lane = threadIdx.x % 32;
    int stage = 0, sum = 0;
    if (threadIdx.x < 32) {
        for (int k = 0; k < rounds; ++k) {
            if (k >= S) {
                sync(1 + S + stage, 64);
            }
            ring[stage][lane] = in[k * 32 + lane]; //~ race
            arrive(1 + stage, 64);
            stage = stage + 1 == S ? 0 : stage + 1;
        }
    } else {
        for (int k = 0; k < rounds; ++k) {
            sync(1 + stage, 64);
            sum = sum * 3 + ring[(stage + 1) % S][lane ^ 1]; //~ race
            if (rounds - k > S) {
                arrive(1 + S + stage, 64);
            }
            stage = stage + 1 == S ? 0 : stage + 1;
        }
        out[blockIdx.x * 32 + lane] = sum;
    }
}
