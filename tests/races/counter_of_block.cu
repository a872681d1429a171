// race-free
// run: --block-dim 64 --grid-dim 2
// A plain store before the atomic operations, plain loads after them: a barrier stands between each of them.

__global__ void counter_of_block(int *out)
{
    __shared__ int count;
    if (threadIdx.x == 0) {
        count = 0;
    }
    __syncthreads();
    atomicAdd(&count, 1);
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = count;
}
