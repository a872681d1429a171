// race-free
// run: --block-dim 32 --grid-dim 1 --warp-sync 32
// Lanes leave the loop one after the other; behind it they are together again.

__global__ void lock_step_loop(int *cells, int *out)
{
    unsigned t = threadIdx.x;
    for (unsigned i = 0; i <= t; i++) {
        cells[t] += i;
    }
    out[t] = cells[31 - t];
}
