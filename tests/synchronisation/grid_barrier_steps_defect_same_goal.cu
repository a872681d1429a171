//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The second wait of a step waits for what the first one has waited for.

__device__ void meet(unsigned *count, unsigned goal)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (*(volatile unsigned *)count < goal) {
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void grid_barrier_steps(unsigned *count, int *a, int *b, int steps)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x, last = gridDim.x * 64 - 1;
    for (int step = 0; step < steps; step++) {
        b[i] = a[last - i] + step; //~ race
        meet(count, (2 * step + 1) * gridDim.x);
        a[i] = b[i]; //~ race
        meet(count, (2 * step + 1) * gridDim.x);
    }
}
