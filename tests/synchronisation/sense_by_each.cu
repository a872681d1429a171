//pass
//--blockDim=64
// Each thread keeps the sense, and one of each block uses it.

__device__ unsigned count;
__device__ volatile unsigned sense;

__global__ void sense_by_each(int *a, int *b, int steps)
{
    unsigned all = gridDim.x * 64, i = blockIdx.x * 64 + threadIdx.x, mine = 0;
    for (int step = 0; step < steps; step++) {
        unsigned part = (step & 1) * all;
        a[part + i] = step;
        mine ^= 1;
        __syncthreads();
        if (threadIdx.x == 0) {
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
        b[i] += a[part + all - 1 - i];
    }
}
