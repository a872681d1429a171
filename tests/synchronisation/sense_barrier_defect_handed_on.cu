//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The last block to come neither acquires nor releases before it reverses the sense.

__device__ unsigned count;
__device__ volatile unsigned sense;

__device__ void meet(unsigned &mine)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        mine ^= 1;
        __threadfence();
        if (atomicAdd(&count, 1) == gridDim.x - 1) { //~ race
            count = 0; //~ race
            sense = mine;
        } else {
            while (sense != mine) {
            }
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void sense_barrier(int *a, int *b, int steps)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x, last = gridDim.x * 64 - 1, mine = 0;
    for (int step = 0; step < steps; step++) {
        b[i] = a[last - i] + step;
        meet(mine);
        a[i] = b[i];
        meet(mine);
    }
}
