//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The lock is taken when somebody has it.

__global__ void try_lock(int *lock, int *sum)
{
    bool done = threadIdx.x != 0;
    while (!done) {
        if (atomicExch(lock, 1) >= 0) {
            __threadfence();
            *sum += blockIdx.x; //~ race
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
