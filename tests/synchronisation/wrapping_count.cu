//pass
//--blockDim=64
// A barrier of all blocks whose counter wraps at the last one, so that nobody sets it back.

__device__ unsigned count, generation;

__global__ void wrapping_count(int *a, int *b)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x, last = gridDim.x * 64 - 1;
    b[i] = a[last - i];
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
        __threadfence();
    }
    __syncthreads();
    a[i] = b[i];
}
