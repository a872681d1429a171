//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// There are two locks for the same sums.

__global__ void lock_of_group(int *mutex, int *total, const int *in)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(mutex + blockIdx.x % 2, 0, 1) != 0) {
        }
        __threadfence();
    }
    __syncthreads();
    total[threadIdx.x] += in[blockIdx.x * 64 + threadIdx.x]; //~ race
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicExch(mutex + blockIdx.x % 2, 0);
    }
}
