// racy
// run: --block-dim 64 --grid-dim 2
// The fence in the middle is of block scope, too: it does not include the other block.

__global__ void chain_of_scopes(int *data, volatile int *near, volatile int *far, int *out)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    if (i == 0) {
        *data = 42; //~ race
        __threadfence_block();
        *near = 1;
    } else if (i == 32) {
        while (*near == 0) {
        }
        __threadfence_block();
        *far = 1;
    } else if (i == 64) {
        while (*far == 0) {
        }
        __threadfence();
        *out = *data; //~ race
    }
}
