// racy
// run: --block-dim 4 --grid-dim 3
// No fence behind the ticket: the barrier of the block hands on what its thread has acquired, which is nothing.

__global__ void last_block_adds(int *parts, unsigned *count, int *out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = blockIdx.x + 1; //~ race
        __threadfence();
        last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 1) {
        *out = parts[0] + parts[1] + parts[2]; //~ race
    }
}
