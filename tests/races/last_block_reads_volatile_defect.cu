// racy
// run: --block-dim 4 --grid-dim 3
// Parts are read by volatile accesses, but written by plain ones.

__global__ void last_block_reads_volatile(int *parts, unsigned *count, int *out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = blockIdx.x + 1; //~ race
        __threadfence();
        last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    volatile int *read = parts;
    if (last && threadIdx.x == 1) {
        *out = read[0] + read[1] + read[2]; //~ race
    }
}
