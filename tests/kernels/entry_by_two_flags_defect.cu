//xfail:NOT_ALL_VERIFIED
//--blockDim=32
// As entry_by_two_flags.cu, but the fences only acquire and release. Both blocks may read the old
// value and enter, which only a run shows in which reads see older values.

#include <cuda/atomic>

using flag = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void enter(flag *wants, int *data)
{
    if (threadIdx.x == 0 && blockIdx.x < 2) {
        wants[blockIdx.x].store(1, cuda::memory_order_relaxed);
        cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);
        if (wants[1 - blockIdx.x].load(cuda::memory_order_relaxed) == 0) {
            *data = blockIdx.x; //~ race
        }
    }
}
