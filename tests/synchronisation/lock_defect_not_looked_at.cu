//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// Who does not get the lock goes on.

__global__ void lock(int *lock, int *sum)
{
    if (threadIdx.x == 0) {
        atomicCAS(lock, 0, 1);
        __threadfence();
        *sum += blockIdx.x; //~ race
        __threadfence();
        atomicExch(lock, 0);
    }
}
