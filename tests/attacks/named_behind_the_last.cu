//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Behind the last barrier nothing orders the two warps.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__global__ void __launch_bounds__(64) named_behind_the_last(int *out)
{
    __shared__ int cells[32];
    unsigned lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        cells[lane] = lane;
        sync(1, 64);
        cells[lane] = 2 * lane; //~ race
    } else {
        sync(1, 64);
        out[lane] = cells[lane ^ 1]; //~ race
    }
}
