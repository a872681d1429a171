// racy
// run: --block-dim 4 --grid-dim 3
// schedules: in-order
// Additions of different blocks are not strong with each other, so they race, and no block observes those of another one.

__global__ void counter_set_by_last(unsigned *count)
{
    if (atomicAdd_block(count, 1u) == gridDim.x * blockDim.x - 1) //~ race
        *count = 0;                                               //~ race
}
