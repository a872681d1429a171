//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// Each block has a lock of its own.

__global__ void lock_stored(int *lock, int *sum)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock + blockIdx.x, 0, 1) != 0) {
        }
        __threadfence();
        *sum += blockIdx.x; //~ race
        __threadfence();
        *(volatile int *)(lock + blockIdx.x) = 0;
    }
}
