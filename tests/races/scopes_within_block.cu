// race-free
// run: --block-dim 2 --grid-dim 1
// A scope of the block and one of the device: within a block each includes the other thread.

__global__ void scopes_within_block(int *count)
{
    if (threadIdx.x == 0) {
        atomicAdd_block(count, 1);
    } else {
        atomicAdd(count, 1);
    }
}
