// race-free
// run: --block-dim 32 --grid-dim 1 --warp-sync 32
// Where the paths of the branch have met again all know what was done on each of them.

__global__ void lock_step_after_branch(int *cells, int *out)
{
    unsigned t = threadIdx.x;
    if (t < 16) {
        cells[t] = t;
    } else {
        cells[t] = 2 * t;
    }
    out[t] = cells[31 - t];
}
