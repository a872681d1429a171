//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// All blocks add to one sum.

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
        sums[0] += threadIdx.x; //~ race
        __threadfence_block();
        atomicExch(&lock, 0);
    }
}
