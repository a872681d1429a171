// race-free
// run: --block-dim 32 --grid-dim 2 --arg cells=zeros:ulong*2
// Atomic operations of 64 bits on one cell, of 32 bits on another one.

__global__ void atomic_widths(unsigned long long *cells)
{
    atomicAdd(&cells[0], 1ull);
    atomicAdd((unsigned *)&cells[1], 1u);
}
