//pass
//--local_size=128 --num_groups=2
// Each pair of warps has a barrier of its own.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__global__ void __launch_bounds__(128) named_barrier_pairs(const int *in, int *out)
{
    __shared__ int cells[128];
    unsigned t = threadIdx.x, pair = t / 64;
    cells[t] = in[blockIdx.x * 128 + t];
    sync(1 + pair, 64);
    out[blockIdx.x * 128 + t] = cells[t ^ 33];
}
