// race-free
// run: --block-dim 64 --grid-dim 1
// __syncthreads_count is a barrier like any other.

__global__ void barrier_that_counts(int *out)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x;
    cells[t] = t;
    int odd = __syncthreads_count(t % 2);
    out[t] = odd + cells[63 - t];
}
