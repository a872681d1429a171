//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The lock is one of the block.

#include <cuda/atomic>

__global__ void lock_atomic(cuda::atomic<int, cuda::thread_scope_block> *lock, int *sum)
{
    if (threadIdx.x == 0) {
        while (lock->exchange(1, cuda::memory_order_acquire) != 0) { //~ race
        }
        *sum += blockIdx.x;
        lock->store(0, cuda::memory_order_release); //~ race
    }
}
