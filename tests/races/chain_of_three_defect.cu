// racy
// run: --block-dim 1 --grid-dim 3
// The one in the middle has no fence: it neither learns anything nor passes anything on.

__global__ void chain_of_three(int *data, volatile int *first, volatile int *second, int *out)
{
    if (blockIdx.x == 0) {
        *data = 42; //~ race
        __threadfence();
        *first = 1;
    } else if (blockIdx.x == 1) {
        while (*first == 0) {
        }
        *second = 1;
    } else {
        while (*second == 0) {
        }
        __threadfence();
        *out = *data; //~ race
    }
}
