//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The lock is taken with the value of a free one.

__global__ void lock(int *lock, int *sum)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 0) != 0) {
        }
        __threadfence();
        *sum += blockIdx.x; //~ race
        __threadfence();
        atomicExch(lock, 0);
    }
}
