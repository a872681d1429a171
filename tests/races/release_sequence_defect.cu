// racy
// run: --block-dim 1 --grid-dim 3
// schedules: in-order
// A relaxed store of another thread ends the release sequence: a race of the runs in which the last block reads
// the 2 alone, and never the 1, whose release it would acquire.

#include <cuda/atomic>

__global__ void release_sequence(int *data, cuda::atomic<int, cuda::thread_scope_device> *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42; //~ race
        flag->store(1, cuda::memory_order_release);
    } else if (blockIdx.x == 1) {
        while (flag->load(cuda::memory_order_relaxed) == 0) {
        }
        flag->store(2, cuda::memory_order_relaxed);
    } else {
        while (flag->load(cuda::memory_order_acquire) != 2) {
        }
        *out = *data; //~ race
    }
}
