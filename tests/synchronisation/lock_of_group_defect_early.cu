//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The lock is given back before the block uses it.

__global__ void lock_of_group(int *mutex, int *total, const int *in)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(mutex, 0, 1) != 0) {
        }
        __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicExch(mutex, 0);
    }
    total[threadIdx.x] += in[blockIdx.x * 64 + threadIdx.x]; //~ race
}
