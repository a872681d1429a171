//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The lock is taken within the block.

__global__ void lock(int *lock, int *sum)
{
    if (threadIdx.x == 0) {
        while (atomicCAS_block(lock, 0, 1) != 0) { //~ race
        }
        __threadfence();
        *sum += blockIdx.x;
        __threadfence();
        atomicExch_block(lock, 0); //~ race
    }
}
