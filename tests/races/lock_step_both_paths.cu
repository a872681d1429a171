// race-free
// run: --block-dim 32 --grid-dim 1 --warp-sync 32
// The paths of the branch write to different halves.

__global__ void lock_step_both_paths(int *cells)
{
    unsigned t = threadIdx.x;
    if (t % 2 == 0) {
        cells[t / 2] = 1;
    } else {
        cells[16 + t / 2] = 2;
    }
}
