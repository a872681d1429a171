// racy
// run: --block-dim 1 --grid-dim 3
// The next number is served without a fence.

__global__ void ticket_lock(unsigned *next, volatile unsigned *served, unsigned *sum)
{
    unsigned mine = atomicAdd(next, 1u);
    while (*served != mine) {
    }
    __threadfence();
    *sum = *sum * 2 + mine; //~ race
    *served = mine + 1;
}
