// racy
// run: --block-dim 1 --grid-dim 2
// The load is relaxed: it acquires nothing.

#include <cuda/atomic>

__global__ void flag_release_acquire(int *data, cuda::atomic<int, cuda::thread_scope_device> *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42; //~ race
        flag->store(1, cuda::memory_order_release);
    } else {
        while (flag->load(cuda::memory_order_relaxed) == 0) {
        }
        *out = *data; //~ race
    }
}
