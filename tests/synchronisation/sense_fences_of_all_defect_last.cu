//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The last block has no fence between what it has seen and what it tells.

__device__ unsigned count;
__device__ volatile unsigned sense;

__device__ void meet(unsigned mine)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        if (atomicAdd(&count, 1) == gridDim.x - 1) { //~ race
            count = 0; //~ race
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
    b[i] = a[last - i];
    meet(1);
    a[i] = b[i];
    meet(2);
    b[i] = a[last - i];
}
