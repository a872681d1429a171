//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// There are two locks for one sum.

#include <cuda/atomic>

__global__ void lock_atomic(cuda::atomic<int, cuda::thread_scope_device> *lock, int *sum)
{
    if (threadIdx.x == 0) {
        while (lock[blockIdx.x % 2].exchange(1, cuda::memory_order_acquire) != 0) {
        }
        *sum += blockIdx.x; //~ race
        lock[blockIdx.x % 2].store(0, cuda::memory_order_release);
    }
}
