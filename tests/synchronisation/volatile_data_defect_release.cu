//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// No fence before the lock is given back.

__global__ void volatile_data(int *lock, volatile int *data)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        data[0] = blockIdx.x; //~ race
        atomicExch(lock, 0);
    }
}
