// racy
// run: --block-dim 4 --grid-dim 3
// Who does not count fences behind the barrier, and so not before the count.

__global__ void everybody_fences(int *cells, int *count, int *out)
{
    unsigned t = threadIdx.x, i = blockIdx.x * 4 + t;
    cells[i] = i; //~ race
    __syncthreads();
    if (t != 0)
        __threadfence();
    if (t == 0) {
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < 3) {
        }
        __threadfence();
    }
    __syncthreads();
    out[i] = cells[(i + 5) % 12]; //~ race
}
