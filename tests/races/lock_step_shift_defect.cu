// racy
// run: --block-dim 64 --grid-dim 1 --warp-sync 32
// The last lane of the first warp reads what the second warp writes, which keeps another step.

__global__ void lock_step_shift(int *cells)
{
    cells[threadIdx.x] = cells[threadIdx.x + 1]; //~ race
}
