//xfail:NOT_ALL_VERIFIED
//--blockDim=32 --timeout=5
// At most one of two blocks enters: each says that it wants to, and looks whether the other does.
// The fences are sequentially consistent, so not both see the old value. No rule of the proof knows
// this, and no run shows a race.

#include <cuda/atomic>

using flag = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void enter(flag *wants, int *data)
{
    if (threadIdx.x == 0 && blockIdx.x < 2) {
        wants[blockIdx.x].store(1, cuda::memory_order_relaxed);
        __threadfence();
        if (wants[1 - blockIdx.x].load(cuda::memory_order_relaxed) == 0) {
            *data = blockIdx.x; //~? race
        }
    }
}
