//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// Something is written between the two.

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
    a[i] = 0; //~ race
    __syncthreads();
    b[i] = a[gridDim.x * 64 - 1 - i]; //~ race
}
