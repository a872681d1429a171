//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// A thread may be two rounds ahead of one that still reads.

__device__ unsigned count;
__device__ volatile unsigned flag;

__global__ void turned_each_round(int *even, int *odd, int *sums, int rounds)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x, last = gridDim.x * 64 - 1, expected = 0;
    for (int round = 0; round < rounds; round++) {
        int *cells = even;
        cells[i] = sums[i]; //~ race
        __syncthreads();
        if (threadIdx.x == 0) {
            expected ^= 4;
            __threadfence();
            if (atomicAdd(&count, 1) == gridDim.x - 1) {
                count = 0;
                __threadfence();
                flag = expected;
            } else {
                while (flag != expected) {
                }
            }
            __threadfence();
        }
        __syncthreads();
        sums[i] += cells[last - i]; //~ race
    }
}
