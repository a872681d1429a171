// race-free
// run: --block-dim 1 --grid-dim 3
// A release operation and a later strong write of the same thread are a release pattern in PTX, although another block
// has stored to the flag in between.

#include <cuda/atomic>

__global__ void release_stored_over(int *data, cuda::atomic<int, cuda::thread_scope_device> *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        flag->store(1, cuda::memory_order_release);
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
        *out = *data;
    }
}
