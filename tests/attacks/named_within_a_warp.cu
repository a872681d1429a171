//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Threads of one warp that only arrive are not ordered among themselves.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__device__ void arrive(unsigned number, unsigned threads)
{
    asm volatile("barrier.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__global__ void __launch_bounds__(64) named_within_a_warp(int *out)
{
    __shared__ int cells[32];
    unsigned lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        cells[lane] = lane; //~ race
        arrive(1, 64);
        out[lane] = cells[lane ^ 1]; //~ race
    } else {
        sync(1, 64);
    }
}
