// racy
// run: --block-dim 1 --grid-dim 3
// No fence before the lock is given back: what was done inside may come later.

__global__ void spin_lock(int *lock, int *sum)
{
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *sum += blockIdx.x + 1; //~ race
    atomicExch(lock, 0);
}
