//pass
//--blockDim=64
// All blocks count, and wait until all have. The number of blocks is open.

__global__ void grid_barrier(unsigned *count, int *a, int *b)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    a[i] = i;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (*(volatile unsigned *)count < gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
    b[i] = a[gridDim.x * 64 - 1 - i];
}
