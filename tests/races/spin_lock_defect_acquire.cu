// racy
// run: --block-dim 1 --grid-dim 3
// No fence after the lock was taken: what is done inside may come earlier.

__global__ void spin_lock(int *lock, int *sum)
{
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *sum += blockIdx.x + 1; //~ race
    __threadfence();
    atomicExch(lock, 0);
}
