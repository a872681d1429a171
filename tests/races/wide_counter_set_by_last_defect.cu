// racy
// run: --block-dim 4 --grid-dim 3
// The last thread but one has not observed the last addition.

__global__ void wide_counter_set_by_last(unsigned long long *count)
{
    if (atomicAdd(count, 1ull) == gridDim.x * blockDim.x - 2) //~ race
        *count = 0;                                           //~ race
}
