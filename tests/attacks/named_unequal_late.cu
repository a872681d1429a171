//unknown
//--local_size=64 --num_groups=1
// One warp leaves out a round that small launches do not have.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__global__ void __launch_bounds__(64) named_unequal_late(int *out, int rounds)
{
    for (int k = 0; k < rounds; ++k) {
        if (threadIdx.x >= 32 || k != 5000) {
            sync(1, 64);
        }
    }
    out[threadIdx.x] = rounds;
}
