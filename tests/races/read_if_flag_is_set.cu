// race-free
// run: --block-dim 1 --grid-dim 2
// The reader does not wait: it reads the data only if the flag is set already.

__global__ void read_if_flag_is_set(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        *flag = 1;
    } else if (*flag == 1) {
        __threadfence();
        *out = *data;
    }
}
