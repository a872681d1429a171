//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The first block takes the locks in another order than the rest.

__device__ int first, second;

__device__ void take(int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0) { //~ endless-wait
    }
}

__global__ void two_locks(int *sum)
{
    if (threadIdx.x == 0) {
        int *one = blockIdx.x == 0 ? &first : &second, *other = blockIdx.x == 0 ? &second : &first;
        take(one);
        take(other);
        __threadfence();
        atomicAdd(sum, 1);
        __threadfence();
        atomicExch(other, 0);
        atomicExch(one, 0);
    }
}
