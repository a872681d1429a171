//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// From a round on that small launches do not have, the two warps are at different barriers.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory"); //~ named-barrier
}

__global__ void __launch_bounds__(64) named_wrong_turn(int *out, int rounds)
{
    int number = 0;
    for (int k = 0; k < rounds; ++k) {
        if (k == 3000 && threadIdx.x >= 32) {
            number = number ^ 1;
        }
        sync(1 + number, 64);
        number = number ^ 1;
    }
    out[threadIdx.x] = rounds;
}
