// racy
// run: --block-dim 1 --grid-dim 2
// No fence between the data and the flag: nothing is released.

__global__ void flag_with_fences(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42; //~ race
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        __threadfence();
        *out = *data; //~ race
    }
}
