//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=8
// The leader gives the lock back in a branch on its id within its own code. The block goes on as if
// it held the lock.

__global__ void lock_of_group_returned(unsigned *lock, int *data, int n)
{
    if ((threadIdx.x & 63) == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
    }
    __syncthreads();
    if ((threadIdx.x & 63) == 0) {
        __threadfence();
        if (threadIdx.x == 0)
            atomicExch(lock, 0);
    }
    __syncthreads();
    if (threadIdx.x != 0 && n == 1234567)
        data[threadIdx.x] += 1; //~ race
}
