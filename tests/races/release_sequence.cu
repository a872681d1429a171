// race-free
// run: --block-dim 1 --grid-dim 3
// A relaxed read-modify-write continues the release sequence: who reads its result has the release, too.

#include <cuda/atomic>

__global__ void release_sequence(int *data, cuda::atomic<int, cuda::thread_scope_device> *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        flag->store(1, cuda::memory_order_release);
    } else if (blockIdx.x == 1) {
        while (flag->load(cuda::memory_order_relaxed) == 0) {
        }
        flag->fetch_add(1, cuda::memory_order_relaxed);
    } else {
        while (flag->load(cuda::memory_order_acquire) != 2) {
        }
        *out = *data;
    }
}
