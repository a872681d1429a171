//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// By the second time, another block may hold the lock.

__global__ void lock(int *lock, int *sum)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        *sum += blockIdx.x; //~ race
        __threadfence();
        atomicExch(lock, 0);
        atomicExch(lock, 0);
    }
}
