// racy
// run: --block-dim 1 --grid-dim 2
// The read after the store is relaxed, so nothing completes the acquire pattern.

#include <cuda/atomic>

__global__ void read_then_acquired(int *data, cuda::atomic<int, cuda::thread_scope_device> *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42; //~ race
        flag->store(1, cuda::memory_order_release);
    } else {
        while (flag->load(cuda::memory_order_relaxed) != 1) {
        }
        flag->store(2, cuda::memory_order_relaxed);
        if (flag->load(cuda::memory_order_relaxed) == 2)
            *out = *data; //~ race
    }
}
