//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// One block writes again without the lock.

__global__ void volatile_data(int *lock, volatile int *data)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        int old = data[0]; //~ race
        data[0] = old + 1;
        __threadfence();
        atomicExch(lock, 0);
        if (blockIdx.x == 1) {
            data[0] = 0; //~ race
        }
    }
}
