// racy
// run: --block-dim 1 --grid-dim 4
// Arrivals are relaxed.

#include <cuda/atomic>

__global__ void arrivals_counted(int *data, cuda::atomic<int, cuda::thread_scope_device> *arrived, int *out)
{
    if (blockIdx.x < 3) {
        data[blockIdx.x] = blockIdx.x; //~ race
        arrived->fetch_add(1, cuda::memory_order_relaxed);
    } else {
        while (arrived->load(cuda::memory_order_acquire) < 3) {
        }
        *out = data[0] + data[1] + data[2]; //~ race
    }
}
