//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The counter wraps before the last block has come.

__device__ unsigned count, generation;

__global__ void wrapping_count(int *a, int *b)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x, last = gridDim.x * 64 - 1;
    b[i] = a[last - i]; //~ race
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned now = atomicAdd(&generation, 0);
        __threadfence();
        if (atomicInc(&count, gridDim.x - 2) == gridDim.x - 2) {
            __threadfence();
            atomicAdd(&generation, 1);
        }
        while (atomicAdd(&generation, 0) == now) {
        }
        __threadfence();
    }
    __syncthreads();
    a[i] = b[i]; //~ race
}
