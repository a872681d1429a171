// racy
// run: --block-dim 32 --grid-dim 2
// The reference of block scope is to the sum of all blocks.

#include <cuda/atomic>

__global__ void atomic_ref_scopes(int *all, int *own)
{
    cuda::atomic_ref<int, cuda::thread_scope_block> sum(*all);
    cuda::atomic_ref<int, cuda::thread_scope_block> part(own[blockIdx.x]);
    sum.fetch_add(1, cuda::memory_order_relaxed); //~ race
    part.fetch_add(1, cuda::memory_order_relaxed);
}
