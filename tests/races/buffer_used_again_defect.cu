// racy
// run: --block-dim 64 --grid-dim 1
// The next iteration writes while others may still read.

__global__ void buffer_used_again(int *out)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x;
    int value = t;
    for (int step = 0; step < 3; step++) {
        cells[t] = value; //~ race
        __syncthreads();
        value += cells[63 - t]; //~ race
    }
    out[t] = value;
}
