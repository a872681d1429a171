// race-free
// run: --block-dim 64 --grid-dim 1
// Two barriers in an iteration: one before the reads, one before the next iteration's writes.

__global__ void buffer_used_again(int *out)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x;
    int value = t;
    for (int step = 0; step < 3; step++) {
        cells[t] = value;
        __syncthreads();
        value += cells[63 - t];
        __syncthreads();
    }
    out[t] = value;
}
