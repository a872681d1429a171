//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// There is no fence before the lock is given back.

__global__ void try_lock(int *lock, int *sum)
{
    bool done = threadIdx.x != 0;
    while (!done) {
        if (atomicExch(lock, 1) == 0) {
            __threadfence();
            *sum += blockIdx.x; //~ race
            atomicExch(lock, 0);
            done = true;
        }
    }
}
