// racy
// run: --block-dim 64 --grid-dim 1
// The elements are written behind the barrier.

__global__ void barrier_that_counts(int *out)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x;
    int odd = __syncthreads_count(t % 2);
    cells[t] = t; //~ race
    out[t] = odd + cells[63 - t]; //~ race
}
