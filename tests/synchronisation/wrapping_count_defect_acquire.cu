//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// Nothing is acquired behind the wait.

__device__ unsigned count, generation;

__global__ void wrapping_count(int *a, int *b)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x, last = gridDim.x * 64 - 1;
    b[i] = a[last - i]; //~ race
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned now = atomicAdd(&generation, 0);
        __threadfence();
        if (atomicInc(&count, gridDim.x - 1) == gridDim.x - 1) {
            __threadfence();
            atomicAdd(&generation, 1);
        }
        while (atomicAdd(&generation, 0) == now) {
        }
    }
    __syncthreads();
    a[i] = b[i]; //~ race
}
