// racy
// run: --block-dim 64 --grid-dim 3
// Every thread has a part, and the first one draws the ticket without waiting for the others of its block.

__global__ void last_block_adds(int *parts, unsigned *count, int *out)
{
    __shared__ bool last;
    parts[blockIdx.x * 64 + threadIdx.x] = threadIdx.x + 1; //~ race
    __threadfence();
    if (threadIdx.x == 0) {
        last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        *out = parts[33] + parts[97] + parts[161]; //~ race
    }
}
