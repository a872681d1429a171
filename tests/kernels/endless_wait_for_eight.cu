//unknown
//--blockDim=64 --timeout=3
// The kernel is meant for eight blocks. With fewer, all wait, which is no mistake of its own.

__device__ unsigned count;

__global__ void for_eight(int *a, int *b)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x, last = gridDim.x * 64 - 1;
    a[i] = i;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&count, 1);
        while (atomicAdd(&count, 0) < 8) {
        }
        __threadfence();
    }
    __syncthreads();
    b[i] = a[last - i];
}
