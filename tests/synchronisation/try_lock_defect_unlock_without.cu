//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The lock is given back after an attempt that has failed, too.

__global__ void try_lock(int *lock, int *sum)
{
    bool done = threadIdx.x != 0;
    while (!done) {
        if (atomicExch(lock, 1) == 0) {
            __threadfence();
            *sum += blockIdx.x; //~ race
            done = true;
        }
        __threadfence();
        atomicExch(lock, 0);
    }
}
