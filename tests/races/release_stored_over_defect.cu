// racy
// run: --block-dim 1 --grid-dim 3
// The data is written behind the release operation, so the later strong write does not release it.

#include <cuda/atomic>

__global__ void release_stored_over(int *data, cuda::atomic<int, cuda::thread_scope_device> *flag, int *out)
{
    if (blockIdx.x == 0) {
        flag->store(1, cuda::memory_order_release);
        *data = 42; //~ race
        while (flag->load(cuda::memory_order_relaxed) != 2) {
        }
        flag->store(3, cuda::memory_order_relaxed);
    } else if (blockIdx.x == 1) {
        while (flag->load(cuda::memory_order_relaxed) != 1) {
        }
        flag->store(2, cuda::memory_order_relaxed);
    } else {
        while (flag->load(cuda::memory_order_acquire) != 3) {
        }
        *out = *data; //~ race
    }
}
