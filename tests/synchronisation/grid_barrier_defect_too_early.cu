//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The wait ends when one block is missing.

__global__ void grid_barrier(unsigned *count, int *a, int *b)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    a[i] = i; //~ race
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (*(volatile unsigned *)count + 1 < gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
    b[i] = a[gridDim.x * 64 - 1 - i]; //~ race
}
