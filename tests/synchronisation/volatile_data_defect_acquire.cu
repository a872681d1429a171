//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// No fence behind the lock.

__global__ void volatile_data(int *lock, volatile int *data)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        data[0] = blockIdx.x; //~ race
        __threadfence();
        atomicExch(lock, 0);
    }
}
