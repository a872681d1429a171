// racy
// run: --block-dim 1 --grid-dim 3
// The store is a plain one, which races with the compare and swap. (Behind the fence it is taken to hand on what
// was done inside, so that the sum is not told of as well.)

__global__ void spin_lock_given_back_by_store(int *lock, int *sum)
{
    while (atomicCAS(lock, 0, 1) != 0) { //~ race
    }
    __threadfence();
    *sum += blockIdx.x + 1;
    __threadfence();
    *lock = 0; //~ race
}
