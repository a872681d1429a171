// racy
// run: --block-dim 32 --grid-dim 2 --arg cells=zeros:ulong*2
// Atomic operations of different widths on the same bytes overlap in part only: they are not morally strong.

__global__ void atomic_widths(unsigned long long *cells)
{
    atomicAdd(&cells[0], 1ull); //~ race
    atomicAdd((unsigned *)&cells[0] + 1, 1u); //~ race
}
