// race-free
// run: --block-dim 1 --grid-dim 3
// The first block tells the second one, the second one tells the third: the message is passed on.

__global__ void chain_of_three(int *data, volatile int *first, volatile int *second, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        *first = 1;
    } else if (blockIdx.x == 1) {
        while (*first == 0) {
        }
        __threadfence();
        *second = 1;
    } else {
        while (*second == 0) {
        }
        __threadfence();
        *out = *data;
    }
}
