// race-free
// run: --block-dim 1 --grid-dim 2
// A strong read and a later acquire operation on the same place are an acquire pattern in PTX, although the operation
// reads the thread's own store.

#include <cuda/atomic>

__global__ void read_then_acquired(int *data, cuda::atomic<int, cuda::thread_scope_device> *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        flag->store(1, cuda::memory_order_release);
    } else {
        while (flag->load(cuda::memory_order_relaxed) != 1) {
        }
        flag->store(2, cuda::memory_order_relaxed);
        if (flag->load(cuda::memory_order_acquire) == 2)
            *out = *data;
    }
}
