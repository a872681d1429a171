// race-free
// run: --block-dim 1 --grid-dim 2
// Peterson's lock of two blocks: fences stand between what each writes and reads, and around the sum.

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
    *sum += me + 1;
    __threadfence();
    wants[me] = 0;
}
