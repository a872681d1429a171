//xfail:NOT_ALL_VERIFIED
//--local_size=128 --num_groups=2
// As named_barrier_pairs.cu, but one warp expects all four.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory"); //~ named-barrier
}

__global__ void __launch_bounds__(128) named_barrier_pairs(const int *in, int *out)
{
    __shared__ int cells[128];
    unsigned t = threadIdx.x, pair = t / 64;
    cells[t] = in[blockIdx.x * 128 + t];
    sync(1 + pair, t / 32 == 3 ? 128 : 64);
    out[blockIdx.x * 128 + t] = cells[t ^ 33];
}
