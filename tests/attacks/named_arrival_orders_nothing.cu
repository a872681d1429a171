//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Who only arrives learns nothing of what the other has done.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__device__ void arrive(unsigned number, unsigned threads)
{
    asm volatile("barrier.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__global__ void __launch_bounds__(64) named_arrival_orders_nothing(int *out)
{
    __shared__ int cells[32];
    unsigned lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        cells[lane] = lane; //~ race
        sync(1, 64);
    } else {
        arrive(1, 64);
        out[lane] = cells[lane ^ 1]; //~ race
    }
}
