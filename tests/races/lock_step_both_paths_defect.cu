// racy
// run: --block-dim 32 --grid-dim 1 --warp-sync 32
// The paths of the branch write to the same places: the one that is taken last wins.

__global__ void lock_step_both_paths(int *cells)
{
    unsigned t = threadIdx.x;
    if (t % 2 == 0) {
        cells[t / 2] = 1; //~ race
    } else {
        cells[t / 2] = 2; //~ race
    }
}
