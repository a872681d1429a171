//pass
//--blockDim=64
// The last block reads volatile sums.

__device__ unsigned blocks_done;

__global__ void volatile_sums(volatile int *sums, int *total)
{
    __shared__ bool is_last;
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = blockIdx.x;
        __threadfence();
        is_last = atomicAdd(&blocks_done, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (is_last && threadIdx.x == 32) {
        int all = 0;
        for (int block = 0; block < gridDim.x; block++) {
            all += sums[block];
        }
        *total = all;
    }
}
