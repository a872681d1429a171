// race-free
// run: --block-dim 1 --grid-dim 2
// A release and a relaxed store of the same thread behind it: who reads the second one has the release, too.

#include <cuda/atomic>

__global__ void flag_stored_twice(int *data, cuda::atomic<int, cuda::thread_scope_device> *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        flag->store(1, cuda::memory_order_release);
        flag->store(2, cuda::memory_order_relaxed);
    } else {
        while (flag->load(cuda::memory_order_acquire) != 2) {
        }
        *out = *data;
    }
}
