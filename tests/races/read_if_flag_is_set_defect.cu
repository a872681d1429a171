// racy
// run: --block-dim 1 --grid-dim 2
// schedules: in-order
// No fence between the flag and the data: a race of the runs in which the reader sees the flag set.

__global__ void read_if_flag_is_set(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42; //~ race
        __threadfence();
        *flag = 1;
    } else if (*flag == 1) {
        *out = *data; //~ race
    }
}
