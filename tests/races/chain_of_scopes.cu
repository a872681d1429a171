// race-free
// run: --block-dim 64 --grid-dim 2
// A fence of block scope tells another warp of the block, which tells another block: what it has learned goes along.

__global__ void chain_of_scopes(int *data, volatile int *near, volatile int *far, int *out)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    if (i == 0) {
        *data = 42;
        __threadfence_block();
        *near = 1;
    } else if (i == 32) {
        while (*near == 0) {
        }
        __threadfence();
        *far = 1;
    } else if (i == 64) {
        while (*far == 0) {
        }
        __threadfence();
        *out = *data;
    }
}
