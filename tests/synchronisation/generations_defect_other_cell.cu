//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// Who waits looks at the counter.

struct Barrier {
    unsigned count, generation;
};

__device__ void meet(Barrier *barrier)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned now = *(volatile unsigned *)&barrier->generation;
        __threadfence();
        if (atomicAdd(&barrier->count, 1) == gridDim.x - 1) {
            barrier->count = 0; //~ race
            __threadfence();
            atomicAdd(&barrier->generation, 1);
        } else {
            while (*(volatile unsigned *)&barrier->count == now) { //~ race
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
        b[i] = a[last - i] + step;
        meet(barrier);
        a[i] = b[i];
        meet(barrier);
    }
}
