// racy
// run: --block-dim 1 --grid-dim 3
// The odd blocks take the second lock only, and change what the first one guards.

__device__ void take(int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
}

__global__ void two_locks_held(int *locks, int *sums)
{
    if (blockIdx.x % 2 == 0) {
        take(&locks[0]);
        sums[0] += 1; //~ race
        __threadfence();
        atomicExch(&locks[0], 0);
    } else {
        take(&locks[1]);
        sums[0] += 2; //~ race
        __threadfence();
        atomicExch(&locks[1], 0);
    }
}
