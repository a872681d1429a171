//pass
//--blockDim=64
// A lock of the block, in shared memory.

__global__ void lock_between_warps(int *sums)
{
    __shared__ int lock;
    if (threadIdx.x == 0)
        lock = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        __threadfence_block();
        sums[blockIdx.x] += threadIdx.x;
        __threadfence_block();
        atomicExch(&lock, 0);
    }
}
