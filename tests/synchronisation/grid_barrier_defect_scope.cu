//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The count is one of the block.

__global__ void grid_barrier(unsigned *count, int *a, int *b)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    a[i] = i;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd_block(count, 1); //~ race
        while (*(volatile unsigned *)count < gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
    b[i] = a[gridDim.x * 64 - 1 - i];
}
