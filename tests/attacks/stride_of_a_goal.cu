//unknown
//--block-dim=64 --grid-dim=8
// The number that blocks wait for has 16 bits, and is zero after 8192 steps.

#include <cuda/atomic>

__global__ void stride_of_a_goal(unsigned long long *count, int *a, int *b, int steps)
{
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> blocks(*count);
    unsigned i = blockIdx.x * 64 + threadIdx.x, last = gridDim.x * 64 - 1;
    unsigned short goal = 0;
    for (int step = 0; step < steps; step++) {
        int *from = step % 2 ? b : a, *to = step % 2 ? a : b;
        to[i] = from[i] + from[last - i];
        goal += gridDim.x;
        __syncthreads();
        if (threadIdx.x == 0) {
            if (blocks.fetch_add(1, cuda::memory_order_acq_rel) + 1 != goal)
                while (blocks.load(cuda::memory_order_acquire) < goal) {
                }
        }
        __syncthreads();
    }
}
