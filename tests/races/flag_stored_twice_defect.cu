// racy
// run: --block-dim 1 --grid-dim 2
// The data is written between the two stores: the relaxed one does not release it.

#include <cuda/atomic>

__global__ void flag_stored_twice(int *data, cuda::atomic<int, cuda::thread_scope_device> *flag, int *out)
{
    if (blockIdx.x == 0) {
        flag->store(1, cuda::memory_order_release);
        *data = 42; //~ race
        flag->store(2, cuda::memory_order_relaxed);
    } else {
        while (flag->load(cuda::memory_order_acquire) != 2) {
        }
        *out = *data; //~ race
    }
}
