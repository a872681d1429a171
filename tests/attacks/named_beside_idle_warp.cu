//pass
//--local_size=96 --num_groups=1
// The third warp comes to the barrier of the group alone, and keeps nobody waiting at the other.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__device__ void arrive(unsigned number, unsigned threads)
{
    asm volatile("barrier.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__global__ void __launch_bounds__(96) named_beside_idle_warp(const int *in, int *out, int rounds)
{
    __shared__ int cells[32];
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int sum = 0;
    for (int k = 0; k < rounds; ++k) {
        if (warp == 0) {
            cells[lane] = in[k * 32 + lane];
            arrive(1, 64);
        } else if (warp == 1) {
            sync(1, 64);
            sum += cells[lane ^ 1];
        }
        __syncthreads();
    }
    if (warp == 1) {
        out[lane] = sum;
    }
}
