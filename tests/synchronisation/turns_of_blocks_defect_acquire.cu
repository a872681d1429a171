//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// Who has its turn acquires nothing.

__global__ void turns_of_blocks(int *turn, int *sums)
{
    if (threadIdx.x == 0) {
        while (*(volatile int *)turn != blockIdx.x) {
        }
    }
    __syncthreads();
    sums[threadIdx.x] = 2 * sums[threadIdx.x] + blockIdx.x; //~ race
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        *(volatile int *)turn = blockIdx.x + 1;
    }
}
