// racy
// run: --block-dim 32 --grid-dim 2
// The scope of the system includes the other block, that of the block does not.

__global__ void device_and_system_scope(int *largest)
{
    if (blockIdx.x == 0) {
        atomicMax_block(largest, (int)threadIdx.x); //~ race
    } else {
        atomicMax_system(largest, (int)threadIdx.x); //~ race
    }
}
