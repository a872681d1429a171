//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A read behind the barrier sees what the other warp has written over the thread's own value.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__global__ void __launch_bounds__(64) named_own_stale(int *out)
{
    __shared__ int cells[32];
    unsigned lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        cells[lane] = 7;
        sync(1, 64);
        sync(2, 64);
        __assert(cells[lane] == 7); //~ assertion
        out[lane] = cells[lane];
    } else {
        sync(1, 64);
        cells[lane] = 8;
        sync(2, 64);
    }
}
