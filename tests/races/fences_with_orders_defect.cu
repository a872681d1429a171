// racy
// run: --block-dim 1 --grid-dim 2
// The fences are the wrong way round: the writer's acquires, the reader's releases.

#include <cuda/atomic>

__global__ void fences_with_orders(int *data, cuda::atomic<int, cuda::thread_scope_device> *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42; //~ race
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        flag->store(1, cuda::memory_order_relaxed);
    } else {
        while (flag->load(cuda::memory_order_relaxed) == 0) {
        }
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        *out = *data; //~ race
    }
}
