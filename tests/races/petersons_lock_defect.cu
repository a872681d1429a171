// racy
// run: --block-dim 1 --grid-dim 2
// No fence stands between the sum and the end of being inside.

__global__ void petersons_lock(volatile int *wants, volatile int *last, int *sum)
{
    int me = blockIdx.x;
    wants[me] = 1;
    __threadfence();
    *last = me;
    __threadfence();
    while (wants[1 - me] && *last == me) {
    }
    __threadfence();
    *sum += me + 1; //~ race
    wants[me] = 0;
}
