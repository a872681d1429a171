// race-free
// run: --block-dim 4 --grid-dim 3
// The last thread to count has observed all other additions, each derived from the one before. So they precede what it
// does next, without a fence, and it may set the counter by a plain store.

__global__ void counter_set_by_last(unsigned *count)
{
    if (atomicAdd(count, 1u) == gridDim.x * blockDim.x - 1)
        *count = 0;
}
