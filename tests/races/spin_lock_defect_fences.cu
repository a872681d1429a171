// racy
// run: --block-dim 1 --grid-dim 3
// Without fences only one thread at a time is inside, but nothing orders what they do there.

__global__ void spin_lock(int *lock, int *sum)
{
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *sum += blockIdx.x + 1; //~ race
    atomicExch(lock, 0);
}
