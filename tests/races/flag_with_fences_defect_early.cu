// racy
// run: --block-dim 1 --grid-dim 2
// The data is read before the fence, which orders only what comes after it.

__global__ void flag_with_fences(int *data, volatile int *flag, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42; //~ race
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        int value = *data; //~ race
        __threadfence();
        *out = value;
    }
}
