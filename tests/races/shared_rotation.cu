// race-free
// run: --block-dim 64 --grid-dim 2
// A barrier of the block stands between the writes and the reads of other warps' elements.

__global__ void shared_rotation(int *out)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x;
    cells[t] = t;
    __syncthreads();
    out[blockIdx.x * 64 + t] = cells[(t + 1) % 64];
}
