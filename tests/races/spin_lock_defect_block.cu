// racy
// run: --block-dim 1 --grid-dim 3
// The fences are of block scope, the blocks are several.

__global__ void spin_lock(int *lock, int *sum)
{
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence_block();
    *sum += blockIdx.x + 1; //~ race
    __threadfence_block();
    atomicExch(lock, 0);
}
