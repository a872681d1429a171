// race-free
// run: --block-dim 4 --grid-dim 3
// Parts that are written and read by volatile accesses do not race, beside fences: they are relaxed atomic ones.

__global__ void last_block_reads_volatile(volatile int *parts, unsigned *count, int *out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = blockIdx.x + 1;
        __threadfence();
        last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 1) {
        *out = parts[0] + parts[1] + parts[2];
    }
}
