//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// Two threads give the lock back. Another block may take it in between.

__global__ void lock_of_group(int *mutex, int *total, const int *in)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(mutex, 0, 1) != 0) {
        }
        __threadfence();
    }
    __syncthreads();
    total[threadIdx.x] += in[blockIdx.x * 64 + threadIdx.x]; //~ race
    __syncthreads();
    if (threadIdx.x < 2) {
        __threadfence();
        atomicExch(mutex, 0);
    }
}
