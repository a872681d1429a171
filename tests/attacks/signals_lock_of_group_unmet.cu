//unknown
//--blockDim=64 --gridDim=8
// The same without a barrier before the lock is given back. No run has the argument that matters.

__global__ void lock_of_group_unmet(unsigned *lock, int *data, int n)
{
    if ((threadIdx.x & 63) == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
    }
    __syncthreads();
    if (n == 1234567)
        data[threadIdx.x] += 1;
    if ((threadIdx.x & 63) == 0) {
        __threadfence();
        if (threadIdx.x == 0)
            atomicExch(lock, 0);
    }
}
