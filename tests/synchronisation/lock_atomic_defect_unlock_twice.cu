//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// By the second time, another block may hold the lock.

#include <cuda/atomic>

__global__ void lock_atomic(cuda::atomic<int, cuda::thread_scope_device> *lock, int *sum)
{
    if (threadIdx.x == 0) {
        while (lock->exchange(1, cuda::memory_order_acquire) != 0) {
        }
        *sum += blockIdx.x; //~ race
        lock->store(0, cuda::memory_order_release);
        lock->store(0, cuda::memory_order_release);
    }
}
