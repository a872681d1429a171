// racy
// run: --block-dim 1 --grid-dim 2
// Fences of block scope order nothing between blocks.

__global__ void flag_with_fences(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42; //~ race
        __threadfence_block();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        __threadfence_block();
        *out = *data; //~ race
    }
}
