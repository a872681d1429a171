//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// As named_barrier_order.cu, but each warp waits for the other at another barrier.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory"); //~ named-barrier
}

__global__ void __launch_bounds__(64) named_barrier_order(const int *in, int *out, int rounds)
{
    __shared__ int left[32], right[32];
    unsigned lane = threadIdx.x % 32;
    int sum = 0;
    for (int k = 0; k < rounds; ++k) {
        if (threadIdx.x < 32) {
            left[lane] = in[k * 64 + lane];
            sync(1, 64);
            sync(2, 64);
            sum = sum * 3 + right[lane ^ 3];
        } else {
            right[lane] = in[k * 64 + 32 + lane];
            sync(2, 64);
            sync(1, 64);
            sum = sum * 3 + left[lane ^ 3];
        }
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
