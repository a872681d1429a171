// race-free
// run: --block-dim 4 --grid-dim 3
// As for a counter of 32 bits: the last thread has observed all other additions.

__global__ void wide_counter_set_by_last(unsigned long long *count)
{
    if (atomicAdd(count, 1ull) == gridDim.x * blockDim.x - 1)
        *count = 0;
}
