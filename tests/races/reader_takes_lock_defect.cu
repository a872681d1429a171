// racy
// run: --block-dim 1 --grid-dim 3
// The one who reads does so without the lock.

__global__ void reader_takes_lock(int *lock, int *sum, int *out)
{
    if (blockIdx.x == 2) {
        *out = *sum; //~ race
        return;
    }
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *sum += 1; //~ race
    __threadfence();
    atomicExch(lock, 0);
}
