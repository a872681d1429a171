// racy
// run: --block-dim 64 --grid-dim 2 --arg table=iota:int*64
// One thread of the launch writes an element that all others read.

__global__ void reads_only(int *table, int *out)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = table[threadIdx.x] + table[0]; //~ race
    if (i == 100) {
        table[0] = 7; //~ race
    }
}
