// race-free
// run: --block-dim 1 --grid-dim 3
// Compare and swap, fence, the guarded sum, fence, exchange.

__global__ void spin_lock(int *lock, int *sum)
{
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *sum += blockIdx.x + 1;
    __threadfence();
    atomicExch(lock, 0);
}
