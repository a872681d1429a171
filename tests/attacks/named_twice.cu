//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// The first warp arrives a second time before the other has come once: the barrier completes without
// it.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__device__ void arrive(unsigned number, unsigned threads)
{
    asm volatile("barrier.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory"); //~ named-barrier
}

__global__ void __launch_bounds__(64) named_twice(int *out)
{
    __shared__ int cells[32];
    unsigned lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        arrive(1, 64);
        cells[lane] = lane;
        arrive(1, 64);
    } else {
        sync(1, 64);
        sync(1, 64);
        out[lane] = cells[lane ^ 1];
    }
}
