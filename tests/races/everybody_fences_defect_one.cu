// racy
// run: --block-dim 4 --grid-dim 3
// The one thread that fences before the barrier has not learned of the others there.

__global__ void everybody_fences(int *cells, int *count, int *out)
{
    unsigned t = threadIdx.x, i = blockIdx.x * 4 + t;
    cells[i] = i; //~ race
    if (t == 0)
        __threadfence();
    __syncthreads();
    if (t == 0) {
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < 3) {
        }
        __threadfence();
    }
    __syncthreads();
    out[i] = cells[(i + 5) % 12]; //~ race
}
