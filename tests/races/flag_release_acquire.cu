// race-free
// run: --block-dim 1 --grid-dim 2
// A release of device scope, and an acquire that reads from it.

#include <cuda/atomic>

__global__ void flag_release_acquire(int *data, cuda::atomic<int, cuda::thread_scope_device> *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        flag->store(1, cuda::memory_order_release);
    } else {
        while (flag->load(cuda::memory_order_acquire) == 0) {
        }
        *out = *data;
    }
}
