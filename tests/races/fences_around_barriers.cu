// race-free
// run: --block-dim 4 --grid-dim 3
// Everybody fences before the block counts itself and behind that, and who counts does not: the others' fences come before the count,
// and the own ones behind it.

__global__ void fences_around_barriers(int *cells, int *count, int *out)
{
    unsigned t = threadIdx.x, i = blockIdx.x * 4 + t;
    cells[i] = i;
    __threadfence();
    __syncthreads();
    if (t == 0) {
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < 3) {
        }
    }
    __syncthreads();
    __threadfence();
    out[i] = cells[(i + 5) % 12];
}
