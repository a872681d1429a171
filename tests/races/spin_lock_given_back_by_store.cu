// race-free
// run: --block-dim 1 --grid-dim 3
// A volatile store behind a fence gives the lock back: it is a relaxed atomic one, of the width of the compare and
// swap.

__global__ void spin_lock_given_back_by_store(int *lock, int *sum)
{
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *sum += blockIdx.x + 1;
    __threadfence();
    *(volatile int *)lock = 0;
}
