//xfail:NOT_ALL_VERIFIED
//--blockDim=8
// The lock has the scope of a block.

#include <cuda/atomic>

__device__ int owner;

__global__ void lock_won(int *sum)
{
    cuda::atomic_ref<int, cuda::thread_scope_block> lock(owner);
    bool won;
    do {
        won = lock.exchange(1, cuda::memory_order_acquire) == 0; //~ race
        if (won) {
            *sum += 1;
            lock.store(0, cuda::memory_order_release); //~ race
        }
    } while (!won);
}
