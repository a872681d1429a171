// race-free
// run: --block-dim 32 --grid-dim 2
// Atomic operations of block scope on a counter of the block's own.

__global__ void block_scope_counters(int *counts)
{
    atomicAdd_block(&counts[blockIdx.x], 1);
}
