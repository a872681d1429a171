//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// Two threads count.

__global__ void wavefront(int *data, unsigned *rows, int n)
{
    size_t width = gridDim.x * 64, i = blockIdx.x * 64 + threadIdx.x;
    for (int row = 0; row < n; row++) {
        if (blockIdx.x > 0) {
            if (threadIdx.x == 0) {
                while (atomicAdd(&rows[blockIdx.x - 1], 0) <= row) {
                }
                __threadfence();
            }
            __syncthreads();
            data[row * width + i] += data[row * width + i - 64]; //~ race
        }
        __syncthreads();
        if (threadIdx.x < 2) {
            __threadfence();
            atomicAdd(&rows[blockIdx.x], 1);
        }
    }
}
