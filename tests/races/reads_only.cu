// race-free
// run: --block-dim 64 --grid-dim 2 --arg table=iota:int*64
// All threads read the same elements; nobody writes them.

__global__ void reads_only(const int *table, int *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[threadIdx.x] + table[0];
}
