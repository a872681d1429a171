// racy
// run: --block-dim 1 --grid-dim 2
// The other block's store is a plain one.

__global__ void zeroed_by_other_block(int *count)
{
    if (blockIdx.x == 0) {
        *count = 0; //~ race
    } else {
        atomicAdd(count, 5); //~ race
    }
}
