// race-free
// run: --block-dim 64 --grid-dim 2
// The barrier of a block orders its threads' accesses to global memory, too.

__global__ void exchange_in_block(int *cells, int *out)
{
    unsigned t = threadIdx.x, first = blockIdx.x * 64;
    cells[first + t] = t;
    __syncthreads();
    out[first + t] = cells[first + 63 - t];
}
