//unknown
//--local_size=64 --num_groups=1
// The barrier with number 0 is that of the group, which small launches do not reach.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__global__ void __launch_bounds__(64) named_zero_and_late_group(int *out, int n)
{
    if (threadIdx.x < 32) {
        sync(0, 32);
    }
    if (n > 5000) {
        __syncthreads();
    }
    out[threadIdx.x] = n;
}
