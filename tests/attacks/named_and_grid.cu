//unknown
//--local_size=64 --num_groups=2
// One warp waits for the other, which waits for it at the barrier of the grid.
#include <cooperative_groups.h>

__device__ void sync(unsigned number, unsigned threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__global__ void __launch_bounds__(64) named_and_grid(int *out, int n)
{
    if (threadIdx.x < 32) {
        sync(1, 64);
    }
    cooperative_groups::this_grid().sync();
    if (threadIdx.x >= 32) {
        sync(1, 64);
    }
    out[blockIdx.x * 64 + threadIdx.x] = n;
}
