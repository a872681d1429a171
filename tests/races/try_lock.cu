// race-free
// run: --block-dim 1 --grid-dim 3
// Who does not get the lock does without: only holders change the sum.

__global__ void try_lock(int *lock, int *sum)
{
    if (atomicCAS(lock, 0, 1) == 0) {
        __threadfence();
        *sum += blockIdx.x + 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}
