// racy
// run: --block-dim 4 --grid-dim 3
// No fence between a block's part and its ticket.

__global__ void last_block_adds(int *parts, unsigned *count, int *out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = blockIdx.x + 1; //~ race
        last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last && threadIdx.x == 1) {
        *out = parts[0] + parts[1] + parts[2]; //~ race
    }
}
