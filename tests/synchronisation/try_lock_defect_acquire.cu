//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// There is no fence behind the acquisition.

__global__ void try_lock(int *lock, int *sum)
{
    bool done = threadIdx.x != 0;
    while (!done) {
        if (atomicExch(lock, 1) == 0) {
            *sum += blockIdx.x; //~ race
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
