//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// Nothing orders what a block has done before it counts.

__device__ unsigned count;
__device__ volatile unsigned sense;

__device__ void meet(unsigned mine)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        if (atomicAdd(&count, 1) == gridDim.x - 1) {
            count = 0;
            __threadfence();
            sense = mine;
        } else {
            while (sense != mine) {
            }
        }
    }
    __syncthreads();
    __threadfence();
}

__global__ void sense_fences_of_all(int *a, int *b)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x, last = gridDim.x * 64 - 1;
    b[i] = a[last - i]; //~ race
    meet(1);
    a[i] = b[i]; //~ race
    meet(2);
    b[i] = a[last - i];
}
