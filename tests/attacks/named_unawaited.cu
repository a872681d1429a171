//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Nobody waits.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__device__ void arrive(unsigned number, unsigned threads)
{
    asm volatile("barrier.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory"); //~ named-barrier
}

__global__ void __launch_bounds__(64) named_unawaited(int *out)
{
    arrive(1, 64);
    out[threadIdx.x] = 1;
}
