// racy
// run: --block-dim 1 --grid-dim 2
// The store is relaxed: there is nothing to be acquired.

#include <cuda/atomic>

__global__ void flag_release_acquire(int *data, cuda::atomic<int, cuda::thread_scope_device> *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42; //~ race
        flag->store(1, cuda::memory_order_relaxed);
    } else {
        while (flag->load(cuda::memory_order_acquire) == 0) {
        }
        *out = *data; //~ race
    }
}
