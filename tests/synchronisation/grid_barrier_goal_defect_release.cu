//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// Blocks count without a release.

#include <cuda/atomic>

__global__ void grid_barrier_goal(unsigned *count, int *a, int *b, int steps)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> blocks(*count);
    unsigned i = blockIdx.x * 64 + threadIdx.x, last = gridDim.x * 64 - 1, goal = 0;
    for (int step = 0; step < steps; step++) {
        int *from = step % 2 ? b : a, *to = step % 2 ? a : b;
        to[i] = from[i] + from[last - i]; //~ race
        goal += gridDim.x;
        __syncthreads();
        if (threadIdx.x == 0) {
            if (blocks.fetch_add(1, cuda::memory_order_acquire) + 1 != goal)
                while (blocks.load(cuda::memory_order_acquire) < goal) {
                }
        }
        __syncthreads();
    }
}
