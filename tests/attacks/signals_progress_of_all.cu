//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// All blocks add to one number, and each waits for as much as its own additions make. The numbers
// that they draw are distinct, so no two blocks can both find what they have added last.

__global__ void progress_of_all(int *count, int *a, int *b)
{
    int i = blockIdx.x * 64 + threadIdx.x, last = gridDim.x * 64 - 1;
    for (int step = 1; step <= 2; step++) {
        a[i] = step; //~ race
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1);
            while (*(volatile int *)count < step) {
            }
            __threadfence();
        }
        __syncthreads();
        b[i] = a[last - i]; //~ race
    }
}
