// race-free
// run: --block-dim 1 --grid-dim 3
// The one who reads the guarded sum takes the lock like those who change it.

__global__ void reader_takes_lock(int *lock, int *sum, int *out)
{
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    if (blockIdx.x == 2) {
        *out = *sum;
    } else {
        *sum += 1;
    }
    __threadfence();
    atomicExch(lock, 0);
}
