// racy
// run: --block-dim 1 --grid-dim 2
// The scope of the device includes the other thread, but that of the block does not: both have to.

__global__ void scopes_within_block(int *count)
{
    if (blockIdx.x == 0) {
        atomicAdd_block(count, 1); //~ race
    } else {
        atomicAdd(count, 1); //~ race
    }
}
