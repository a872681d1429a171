//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// There is no fence before it.

__global__ void lock_stored(int *lock, int *sum)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        *sum += blockIdx.x; //~ race
        *(volatile int *)lock = 0;
    }
}
