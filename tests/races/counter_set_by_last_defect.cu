// racy
// run: --block-dim 4 --grid-dim 3
// The last thread but one has not observed the last addition.

__global__ void counter_set_by_last(unsigned *count)
{
    if (atomicAdd(count, 1u) == gridDim.x * blockDim.x - 2) //~ race
        *count = 0;                                         //~ race
}
