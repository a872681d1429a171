//xfail:NOT_ALL_VERIFIED
//--local_size=96 --num_groups=1
// As named_barrier_chain.cu, but the second warp hands on before it has waited.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__device__ void arrive(unsigned number, unsigned threads)
{
    asm volatile("barrier.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__global__ void __launch_bounds__(96) named_barrier_chain(const int *in, int *out, int rounds)
{
    __shared__ int cells[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int k = 0; k < rounds; ++k) {
        if (warp == 0) {
            if (k > 0) {
                sync(3, 64);
            }
            cells[lane] = in[k * 32 + lane]; //~ race
            arrive(1, 64);
        } else if (warp == 1) {
            arrive(2, 64);
            sync(1, 64);
        } else {
            sync(2, 64);
            out[k * 32 + lane] = cells[lane ^ 1]; //~ race
            if (k + 1 < rounds) {
                arrive(3, 64);
            }
        }
    }
}
