// racy
// run: --block-dim 64 --grid-dim 2
// What is read was written by the other block, which the barrier does not wait for.

__global__ void exchange_in_block(int *cells, int *out)
{
    unsigned t = threadIdx.x, first = blockIdx.x * 64;
    cells[first + t] = t; //~ race
    __syncthreads();
    out[first + t] = cells[(first + 64 + t) % 128]; //~ race
}
