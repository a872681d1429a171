// racy
// run: --block-dim 32 --grid-dim 2
// The counter starts again with every 16 threads: slots are drawn twice.

__global__ void slots_drawn(unsigned *count, int *out)
{
    unsigned slot = atomicInc(count, 15);
    out[slot] = blockIdx.x * 32 + threadIdx.x; //~ race
}
