//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A read behind the barrier sees what the other warp has written since the group's barrier.

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__device__ void arrive(unsigned number, unsigned threads)
{
    asm volatile("barrier.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__global__ void __launch_bounds__(64) named_stale(int *out)
{
    __shared__ int cell;
    if (threadIdx.x == 0) {
        cell = 0;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        if (threadIdx.x == 0) {
            cell = 1;
        }
        arrive(1, 64);
    } else {
        sync(1, 64);
        __assert(cell == 0); //~ assertion
        out[threadIdx.x] = cell;
    }
}
