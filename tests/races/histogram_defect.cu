// racy
// run: --block-dim 32 --grid-dim 2 --arg in=iota:uint*64
// Bins are counted up by a load and a store.

__global__ void histogram(const unsigned *in, unsigned *bins)
{
    unsigned value = in[blockIdx.x * 32 + threadIdx.x];
    bins[value % 4] += 1; //~ race
}
