// racy
// run: --block-dim 1 --grid-dim 2
// A flag of block scope between blocks: its own accesses race, and the data's.

#include <cuda/atomic>

__global__ void flag_release_acquire(int *data, cuda::atomic<int, cuda::thread_scope_block> *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42; //~ race
        flag->store(1, cuda::memory_order_release); //~ race
    } else {
        while (flag->load(cuda::memory_order_acquire) == 0) { //~ race
        }
        *out = *data; //~ race
    }
}
