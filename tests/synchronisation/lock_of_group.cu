//pass
//--blockDim=64
// One thread takes the lock for its block, and gives it back.

__global__ void lock_of_group(int *mutex, int *total, const int *in)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(mutex, 0, 1) != 0) {
        }
        __threadfence();
    }
    __syncthreads();
    total[threadIdx.x] += in[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicExch(mutex, 0);
    }
}
