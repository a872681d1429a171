//xfail:NOT_ALL_VERIFIED
//--local_size=96 --num_groups=1
// The chain from the first to the third warp is one round late.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__device__ void arrive(unsigned number, unsigned threads)
{
    asm volatile("barrier.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__global__ void __launch_bounds__(96) named_only_later(int *out, int rounds)
{
    __shared__ int cells[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int k = 0; k < rounds; ++k) {
        if (warp == 0) {
            cells[lane] = k; //~ race
            sync(1, 64);
            sync(3, 96);
        } else if (warp == 1) {
            arrive(2, 64);
            sync(1, 64);
            sync(3, 96);
        } else {
            sync(2, 64);
            out[k * 32 + lane] = cells[lane ^ 1]; //~ race
            sync(3, 96);
        }
    }
}
