//pass
//--blockDim=64
// Volatile data under a lock.

__global__ void volatile_data(int *lock, volatile int *data)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        data[0] = blockIdx.x;
        __threadfence();
        atomicExch(lock, 0);
    }
}
