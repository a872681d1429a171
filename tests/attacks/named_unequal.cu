//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// One warp comes once more than the other.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory"); //~ named-barrier
}

__global__ void __launch_bounds__(64) named_unequal(int *out, int rounds)
{
    unsigned more = threadIdx.x < 32;
    for (int k = 0; k < rounds + more; ++k) {
        sync(1, 64);
    }
    out[threadIdx.x] = rounds;
}
