// race-free
// run: --block-dim 4 --grid-dim 3
// As by the library's fences. A grid barrier in which everybody fences before the block waits, and its first thread counts the block and fences behind that. The count
// is read behind the others' fences, so by Fence-SC order these come before the fence of who has read it (PTX).

#include <cuda/atomic>

__global__ void fences_in_total_order(int *cells, int *count, int *out)
{
    unsigned t = threadIdx.x, i = blockIdx.x * 4 + t;
    cells[i] = i;
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    __syncthreads();
    if (t == 0) {
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < 3) {
        }
        cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    }
    __syncthreads();
    out[i] = cells[(i + 5) % 12];
}
