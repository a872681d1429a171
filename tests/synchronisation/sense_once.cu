//pass
//--blockDim=64
// Rounds with one barrier each, at which the sense of a block stays between rounds.

__device__ unsigned count;
__device__ volatile unsigned sense;

__device__ void meet(unsigned &mine)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        mine ^= 1;
        __threadfence();
        if (atomicAdd(&count, 1) == gridDim.x - 1) {
            count = 0;
            __threadfence();
            sense = mine;
        } else {
            while (sense != mine) {
            }
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void sense_once(int *a, int *b, int steps)
{
    unsigned all = gridDim.x * 64, i = blockIdx.x * 64 + threadIdx.x, mine = 0;
    for (int step = 0; step < steps; step++) {
        unsigned part = (step & 1) * all;
        a[part + i] = step;
        meet(mine);
        b[i] += a[part + all - 1 - i];
    }
}
