// racy
// run: --block-dim 128 --grid-dim 2
// The blocks have locks of their own, but one sum.

__global__ void spin_lock_of_block_scope(int *locks, int *sums)
{
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS_block(&locks[blockIdx.x], 0, 1) != 0) {
        }
        __threadfence_block();
        sums[0] += threadIdx.x; //~ race
        __threadfence_block();
        atomicExch_block(&locks[blockIdx.x], 0);
    }
}
