//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The fence behind the lock is for the block.

__global__ void volatile_data(int *lock, volatile int *data)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence_block();
        data[0] = blockIdx.x; //~ race
        __threadfence();
        atomicExch(lock, 0);
    }
}
