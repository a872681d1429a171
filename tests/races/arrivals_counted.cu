// race-free
// run: --block-dim 1 --grid-dim 4
// Each arrival is a release, and continues the release sequences of those before it: who sees all has learned of all.

#include <cuda/atomic>

__global__ void arrivals_counted(int *data, cuda::atomic<int, cuda::thread_scope_device> *arrived, int *out)
{
    if (blockIdx.x < 3) {
        data[blockIdx.x] = blockIdx.x;
        arrived->fetch_add(1, cuda::memory_order_release);
    } else {
        while (arrived->load(cuda::memory_order_acquire) < 3) {
        }
        *out = data[0] + data[1] + data[2];
    }
}
