//pass
//--blockDim=64
// A lock by exchange, tried until it is got.

__global__ void try_lock(int *lock, int *sum)
{
    bool done = threadIdx.x != 0;
    while (!done) {
        if (atomicExch(lock, 1) == 0) {
            __threadfence();
            *sum += blockIdx.x;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
