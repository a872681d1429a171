//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The fences are for their blocks alone.

__global__ void lock(int *lock, int *sum)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence_block();
        *sum += blockIdx.x; //~ race
        __threadfence_block();
        atomicExch(lock, 0);
    }
}
