//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The fence before the counter is for the block, and there is none behind it.

__device__ unsigned blocks_done;

__global__ void volatile_sums(volatile int *sums, int *total)
{
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = blockIdx.x; //~ race
        __threadfence_block();
        is_last = atomicAdd(&blocks_done, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 32) {
        int all = 0;
        for (int block = 0; block < gridDim.x; block++) {
            all += sums[block]; //~ race
        }
        *total = all;
    }
}
