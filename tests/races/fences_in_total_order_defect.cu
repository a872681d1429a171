// racy
// run: --block-dim 4 --grid-dim 3
// Fences that acquire and release alone have no order among themselves.

#include <cuda/atomic>

__global__ void fences_in_total_order(int *cells, int *count, int *out)
{
    unsigned t = threadIdx.x, i = blockIdx.x * 4 + t;
    cells[i] = i; //~ race
    cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);
    __syncthreads();
    if (t == 0) {
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < 3) {
        }
        cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);
    }
    __syncthreads();
    out[i] = cells[(i + 5) % 12]; //~ race
}
