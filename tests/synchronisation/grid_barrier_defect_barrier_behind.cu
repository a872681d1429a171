//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The block does not wait for its leader.

__global__ void grid_barrier(unsigned *count, int *a, int *b)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    a[i] = i; //~ race
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (*(volatile unsigned *)count < gridDim.x) {
        }
        __threadfence();
    }
    b[i] = a[gridDim.x * 64 - 1 - i]; //~ race
}
