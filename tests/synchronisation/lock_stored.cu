//pass
//--blockDim=64
// The lock is given back by a volatile store.

__global__ void lock_stored(int *lock, int *sum)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        *sum += blockIdx.x;
        __threadfence();
        *(volatile int *)lock = 0;
    }
}
