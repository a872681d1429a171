// race-free
// run: --block-dim 1 --grid-dim 3
// The lock is taken with an acquire, and given back with a release.

#include <cuda/atomic>

__global__ void lock_of_library(cuda::atomic<int, cuda::thread_scope_device> *lock, int *sum)
{
    while (lock->exchange(1, cuda::memory_order_acquire) != 0) {
    }
    *sum += blockIdx.x + 1;
    lock->store(0, cuda::memory_order_release);
}
