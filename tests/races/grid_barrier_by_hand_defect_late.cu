// racy
// run: --block-dim 4 --grid-dim 3
// The other threads of the block do not wait for the one that waits for the other blocks.

__global__ void grid_barrier_by_hand(int *cells, int *count, int *out)
{
    unsigned i = blockIdx.x * 4 + threadIdx.x;
    cells[i] = i; //~ race
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < 3) {
        }
        __threadfence();
    }
    out[i] = cells[11 - i]; //~ race
}
