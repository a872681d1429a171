// racy
// run: --block-dim 4 --grid-dim 3
// The second fence comes before the count is read.

__global__ void fences_around_barriers(int *cells, int *count, int *out)
{
    unsigned t = threadIdx.x, i = blockIdx.x * 4 + t;
    cells[i] = i; //~ race
    __threadfence();
    __syncthreads();
    if (t == 0) {
        atomicAdd(count, 1);
        __threadfence();
        while (atomicAdd(count, 0) < 3) {
        }
    }
    __syncthreads();
    out[i] = cells[(i + 5) % 12]; //~ race
}
