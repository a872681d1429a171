//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Half of a warp waits for the other half, elsewhere.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory"); //~ named-barrier
}

__global__ void __launch_bounds__(64) named_half_a_warp(int *out)
{
    if (threadIdx.x % 32 < 16) {
        sync(1, 64);
        sync(2, 64);
    } else {
        sync(2, 64);
        sync(1, 64);
    }
    out[threadIdx.x] = 1;
}
