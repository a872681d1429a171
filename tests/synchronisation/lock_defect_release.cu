//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// There is no fence before the lock is given back.

__global__ void lock(int *lock, int *sum)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        *sum += blockIdx.x; //~ race
        atomicExch(lock, 0);
    }
}
