//pass
//--blockDim=64
// Steps between barriers of all blocks. The last block to come begins a new generation, and the
// others wait for the end of the one they have seen. The generation may be any at first.

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
        b[i] = a[last - i] + step;
        meet(barrier);
        a[i] = b[i];
        meet(barrier);
    }
}
