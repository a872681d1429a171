//xfail:NOT_ALL_VERIFIED
//--blockDim=8
// The lock is given back after an attempt that has failed, too.

#include <cuda/atomic>

__device__ int owner;

__global__ void lock_won(int *sum)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> lock(owner);
    bool won;
    do {
        won = lock.exchange(1, cuda::memory_order_acquire) == 0;
        if (won) {
            *sum += 1; //~ race
        }
        lock.store(0, cuda::memory_order_release);
    } while (!won);
}
