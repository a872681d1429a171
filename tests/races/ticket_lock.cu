// race-free
// run: --block-dim 1 --grid-dim 3
// Who has the number that is served is inside; the next number is served behind a fence.

__global__ void ticket_lock(unsigned *next, volatile unsigned *served, unsigned *sum)
{
    unsigned mine = atomicAdd(next, 1u);
    while (*served != mine) {
    }
    __threadfence();
    *sum = *sum * 2 + mine;
    __threadfence();
    *served = mine + 1;
}
