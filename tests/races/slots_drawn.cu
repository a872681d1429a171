// race-free
// run: --block-dim 32 --grid-dim 2
// Every thread draws a slot from a counter, and writes to its slot only.

__global__ void slots_drawn(int *count, int *out)
{
    int slot = atomicAdd(count, 1);
    out[slot] = blockIdx.x * 32 + threadIdx.x;
}
