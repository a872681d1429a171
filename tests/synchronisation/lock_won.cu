//pass
//--blockDim=8
// The test for another attempt is at the end of the loop.

#include <cuda/atomic>

__device__ int owner;

__global__ void lock_won(int *sum)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> lock(owner);
    bool won;
    do {
        won = lock.exchange(1, cuda::memory_order_acquire) == 0;
        if (won) {
            *sum += 1;
            lock.store(0, cuda::memory_order_release);
        }
    } while (!won);
}
