// racy
// run: --block-dim 4 --grid-dim 3
// No fence before a block counts itself: what it has written may come later.

__global__ void grid_barrier_by_hand(int *cells, int *count, int *out)
{
    unsigned i = blockIdx.x * 4 + threadIdx.x;
    cells[i] = i; //~ race
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < 3) {
        }
        __threadfence();
    }
    __syncthreads();
    out[i] = cells[11 - i]; //~ race
}
