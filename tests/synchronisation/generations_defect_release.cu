//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// Nothing releases what a block has done before it counts.

struct Barrier {
    unsigned count, generation;
};

__device__ void meet(Barrier *barrier)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned now = *(volatile unsigned *)&barrier->generation;
        if (atomicAdd(&barrier->count, 1) == gridDim.x - 1) {
            barrier->count = 0;
            __threadfence();
            atomicAdd(&barrier->generation, 1);
        } else {
            while (*(volatile unsigned *)&barrier->generation == now) {
            }
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void generations(Barrier *barrier, int *a, int *b, int steps)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x, last = gridDim.x * 64 - 1;
    for (int step = 0; step < steps; step++) {
        b[i] = a[last - i] + step; //~ race
        meet(barrier);
        a[i] = b[i]; //~ race
        meet(barrier);
    }
}
