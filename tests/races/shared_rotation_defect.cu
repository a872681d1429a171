// racy
// run: --block-dim 64 --grid-dim 2
// Nothing stands between the writes and the reads of others' elements.

__global__ void shared_rotation(int *out)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x;
    cells[t] = t; //~ race
    out[blockIdx.x * 64 + t] = cells[(t + 1) % 64]; //~ race
}
