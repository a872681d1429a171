// racy
// run: --block-dim 1 --grid-dim 3
// schedules: in-order
// No fence before the lock is given back: a race of the runs in which it is taken twice.

__global__ void try_lock(int *lock, int *sum)
{
    if (atomicCAS(lock, 0, 1) == 0) {
        __threadfence();
        *sum += blockIdx.x + 1; //~ race
        atomicExch(lock, 0);
    }
}
