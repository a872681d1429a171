// race-free
// run: --block-dim 1 --grid-dim 2
// The first block waits for the second one; one fence is of system scope, which includes all of the device.

__global__ void flag_to_earlier_block(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 1) {
        *data = 42;
        __threadfence_system();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        __threadfence();
        *out = *data;
    }
}
