// race-free
// run: --block-dim 4 --grid-dim 3
// The blocks count themselves: fences on both sides of the counter, barriers of the block around them.

__global__ void grid_barrier_by_hand(int *cells, int *count, int *out)
{
    unsigned i = blockIdx.x * 4 + threadIdx.x;
    cells[i] = i;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < 3) {
        }
        __threadfence();
    }
    __syncthreads();
    out[i] = cells[11 - i];
}
