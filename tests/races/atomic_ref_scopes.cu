// race-free
// run: --block-dim 32 --grid-dim 2
// References of device scope to a sum of all blocks, of block scope to one of the block.

#include <cuda/atomic>

__global__ void atomic_ref_scopes(int *all, int *own)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> sum(*all);
    cuda::atomic_ref<int, cuda::thread_scope_block> part(own[blockIdx.x]);
    sum.fetch_add(1, cuda::memory_order_relaxed);
    part.fetch_add(1, cuda::memory_order_relaxed);
}
