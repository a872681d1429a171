// race-free
// run: --block-dim 1 --grid-dim 4
// Each of two sums has its lock.

__global__ void one_lock_for_one_sum(int *locks, int *sums)
{
    int which = blockIdx.x % 2;
    while (atomicCAS(&locks[which], 0, 1) != 0) {
    }
    __threadfence();
    sums[which] += blockIdx.x;
    __threadfence();
    atomicExch(&locks[which], 0);
}
