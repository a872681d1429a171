// racy
// run: --block-dim 32 --grid-dim 1 --warp-sync 32
// One path reads what the other one writes: which of them comes first is not known.

__global__ void lock_step_after_branch(int *cells, int *out)
{
    unsigned t = threadIdx.x;
    if (t < 16) {
        cells[t] = t; //~ race
    } else {
        out[t] = cells[31 - t]; //~ race
    }
}
