// race-free
// run: --block-dim 128 --grid-dim 2
// Every block has a lock and a sum of its own; one thread of each warp takes the lock: fences of block scope are
// enough.

__global__ void spin_lock_of_block_scope(int *locks, int *sums)
{
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS_block(&locks[blockIdx.x], 0, 1) != 0) {
        }
        __threadfence_block();
        sums[blockIdx.x] += threadIdx.x;
        __threadfence_block();
        atomicExch_block(&locks[blockIdx.x], 0);
    }
}
