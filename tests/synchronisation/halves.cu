//pass
//--blockDim=64
// Neighbours in place: each step writes when both neighbours have read.

__device__ void tell(int *steps, int step)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        *(volatile int *)&steps[blockIdx.x] = step;
        if (blockIdx.x > 0)
            while (*(volatile int *)&steps[blockIdx.x - 1] < step) {
            }
        if (blockIdx.x + 1 < gridDim.x)
            while (*(volatile int *)&steps[blockIdx.x + 1] < step) {
            }
        __threadfence();
    }
    __syncthreads();
}

__global__ void halves(int *cells, int *steps, int n)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x, last = gridDim.x * 64 - 1;
    for (int step = 0; step < n; step++) {
        int left = i > 0 ? cells[i - 1] : 0;
        int right = i < last ? cells[i + 1] : 0;
        tell(steps, 2 * step + 1);
        cells[i] = left + right;
        tell(steps, 2 * step + 2);
    }
}
