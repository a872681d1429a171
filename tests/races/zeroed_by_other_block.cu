// race-free
// run: --block-dim 1 --grid-dim 2
// Whichever comes first: an atomic exchange and an atomic addition do not race.

__global__ void zeroed_by_other_block(int *count)
{
    if (blockIdx.x == 0) {
        atomicExch(count, 0);
    } else {
        atomicAdd(count, 5);
    }
}
