//unknown
//--blockDim=64 --timeout=3
// The host passes the number of blocks, which a run cannot know.

__device__ unsigned count;

__global__ void passed(int *a, int *b, unsigned blocks)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x, last = gridDim.x * 64 - 1;
    a[i] = i;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&count, 1);
        while (atomicAdd(&count, 0) < blocks) {
        }
        __threadfence();
    }
    __syncthreads();
    b[i] = a[last - i];
}
