//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// One warp waits for the group, the other at a named barrier for the first.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__global__ void __launch_bounds__(64) named_and_group(int *out)
{
    if (threadIdx.x < 32) {
        __syncthreads(); //~ barrier-divergence
        sync(1, 64);
    } else {
        sync(1, 64);
        __syncthreads();
    }
    out[threadIdx.x] = 1;
}
