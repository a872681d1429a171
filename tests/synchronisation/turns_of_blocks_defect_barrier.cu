//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The turn ends before all threads of the block have worked.

__global__ void turns_of_blocks(int *turn, int *sums)
{
    if (threadIdx.x == 0) {
        while (*(volatile int *)turn != blockIdx.x) {
        }
        __threadfence();
    }
    __syncthreads();
    sums[threadIdx.x] = 2 * sums[threadIdx.x] + blockIdx.x; //~ race
    if (threadIdx.x == 0) {
        __threadfence();
        *(volatile int *)turn = blockIdx.x + 1;
    }
}
