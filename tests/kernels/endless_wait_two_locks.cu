//pass
//--blockDim=64
// All blocks take the two locks in the same order.

__device__ int first, second;

__device__ void take(int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0) {
    }
}

__global__ void two_locks(int *sum)
{
    if (threadIdx.x == 0) {
        int *one = &first, *other = &second;
        take(one);
        take(other);
        __threadfence();
        atomicAdd(sum, 1);
        __threadfence();
        atomicExch(other, 0);
        atomicExch(one, 0);
    }
}
