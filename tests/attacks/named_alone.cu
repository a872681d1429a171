//unknown
//--local_size=1 --num_groups=2
// A thread that is alone waits for two warps.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__global__ void named_alone(int *out)
{
    sync(1, 64);
    out[blockIdx.x] = 1;
}
