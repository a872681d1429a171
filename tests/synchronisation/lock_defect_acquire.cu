//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// There is no fence behind the acquisition.

__global__ void lock(int *lock, int *sum)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        *sum += blockIdx.x; //~ race
        __threadfence();
        atomicExch(lock, 0);
    }
}
