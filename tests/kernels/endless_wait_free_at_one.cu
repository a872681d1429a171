//pass
//--blockDim=64
// The host sets the lock to 1, which is free. With zeros all blocks wait for ever.

__global__ void free_at_one(int *lock, int *sum)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 1, 0) != 1) {
        }
        __threadfence();
        *sum += 1;
        __threadfence();
        atomicExch(lock, 1);
    }
}
