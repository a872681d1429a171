// racy
// run: --block-dim 1 --grid-dim 2
// No fence between the flag and the data: nothing is acquired.

__global__ void flag_with_fences(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42; //~ race
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        *out = *data; //~ race
    }
}
