// race-free
// run: --block-dim 1 --grid-dim 3
// Both locks are held where both sums change, taken in the same order by all.

__device__ void take(int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
}

__global__ void two_locks_held(int *locks, int *sums)
{
    take(&locks[0]);
    take(&locks[1]);
    sums[0] += 1;
    sums[1] += sums[0];
    __threadfence();
    atomicExch(&locks[1], 0);
    atomicExch(&locks[0], 0);
}
