//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The addition stands before the lock.

__global__ void lock(int *lock, int *sum)
{
    if (threadIdx.x == 0) {
        *sum += blockIdx.x; //~ race
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        __threadfence();
        atomicExch(lock, 0);
    }
}
