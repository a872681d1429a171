// racy
// run: --block-dim 1 --grid-dim 4
// Two arrivals are waited for, though three write.

#include <cuda/atomic>

__global__ void arrivals_counted(int *data, cuda::atomic<int, cuda::thread_scope_device> *arrived, int *out)
{
    if (blockIdx.x == 2) {
        data[2] = 2; //~ race
    } else if (blockIdx.x < 2) {
        data[blockIdx.x] = blockIdx.x;
        arrived->fetch_add(1, cuda::memory_order_release);
    } else {
        while (arrived->load(cuda::memory_order_acquire) < 2) {
        }
        *out = data[0] + data[1];
        *out += data[2]; //~ race
    }
}
