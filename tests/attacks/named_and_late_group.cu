//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A barrier of the group that small launches do not reach keeps one of the two warps from coming.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory"); //~ named-barrier
}

__global__ void __launch_bounds__(64) named_and_late_group(int *out, int n)
{
    if (threadIdx.x < 32) {
        sync(1, 64);
    }
    if (n > 5000) {
        __syncthreads();
    }
    if (threadIdx.x >= 32) {
        sync(1, 64);
    }
    out[threadIdx.x] = n;
}
