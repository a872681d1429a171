// racy
// run: --block-dim 1 --grid-dim 2
// The writer's fence is of block scope.

__global__ void flag_to_earlier_block(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 1) {
        *data = 42; //~ race
        __threadfence_block();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        __threadfence();
        *out = *data; //~ race
    }
}
