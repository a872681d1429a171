//xfail:NOT_ALL_VERIFIED
//--local_size=96 --num_groups=1
// In small launches only the third warp comes to the barrier of the group. In fact all do, and the
// second one waits there for the first, which waits for it.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory"); //~ named-barrier
}

__global__ void __launch_bounds__(96) named_and_group_of_one(int *out, int n)
{
    __requires(n > 1000);
    unsigned warp = threadIdx.x / 32;
    if (warp == 0) {
        sync(1, 64);
    }
    if (n > 1000 || (warp == 2 && n == 100)) {
        __syncthreads();
    }
    if (warp == 1) {
        sync(1, 64);
    }
    out[threadIdx.x] = n;
}
