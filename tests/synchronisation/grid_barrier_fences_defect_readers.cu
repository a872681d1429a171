//xfail:NOT_ALL_VERIFIED
//--blockDim=8
// No thread has a fence behind the wait.

__device__ unsigned arrived;

__device__ void meet(unsigned goal)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&arrived, 1);
        while (atomicAdd(&arrived, 0) < goal)
            __nanosleep(100);
    }
    __syncthreads();
}

__global__ void grid_barrier_fences(int *a, int *b, int steps)
{
    unsigned i = blockIdx.x * 8 + threadIdx.x, last = gridDim.x * 8 - 1, goal = 0;
    for (int step = 0; step < steps; step++) {
        b[i] = a[last - i]; //~ race
        meet(goal += gridDim.x);
        a[i] = b[i] + 1; //~ race
        meet(goal += gridDim.x);
    }
}
