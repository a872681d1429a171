// racy
// run: --block-dim 32 --grid-dim 2
// Both blocks use the same counter, and the scope of neither includes the other one.

__global__ void block_scope_counters(int *counts)
{
    atomicAdd_block(&counts[0], 1); //~ race
}
