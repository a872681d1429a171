// racy
// run: --block-dim 1 --grid-dim 2
// As compare_exchange_that_fails.cu, but the order for that is relaxed.

#include <cuda/atomic>

__global__ void compare_exchange_that_fails(int *data, cuda::atomic<int, cuda::thread_scope_device> *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42; //~ race
        flag->store(1, cuda::memory_order_release);
    } else {
        int expected = 5;
        while (expected != 1) {
            expected = 5;
            flag->compare_exchange_strong(expected, 7, cuda::memory_order_relaxed, cuda::memory_order_relaxed);
        }
        *out = *data; //~ race
    }
}
