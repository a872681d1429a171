//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// Nothing releases what a block has done before it counts.

#include <hip/hip_runtime.h>

__device__ unsigned count, generation;

__global__ void generations_hip(int *a, int *b)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x, last = gridDim.x * 64 - 1;
    b[i] = a[last - i]; //~ race
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned now = atomicAdd(&generation, 0);
        if (atomicAdd(&count, 1) == gridDim.x - 1) {
            atomicExch(&count, 0);
            __threadfence();
            atomicExch(&generation, now + 1);
        } else {
            while (atomicAdd(&generation, 0) == now) {
            }
        }
        __threadfence();
    }
    __syncthreads();
    a[i] = b[i]; //~ race
}
