//xfail:NOT_ALL_VERIFIED
//--local_size=96 --num_groups=1
// One place names two warps, the other one names none and waits for all three.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__device__ void sync_all(unsigned number)
{
    asm volatile("barrier.sync %0;" ::"r"(number) : "memory"); //~ named-barrier
}

__global__ void __launch_bounds__(96) named_without_count(int *out, int n)
{
    if (threadIdx.x < 32) {
        sync(1, 64);
    } else if (threadIdx.x < 64) {
        sync_all(1);
    }
    out[threadIdx.x] = n;
}
