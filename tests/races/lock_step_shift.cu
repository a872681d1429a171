// race-free
// run: --block-dim 32 --grid-dim 1 --warp-sync 32
// In lock-step all lanes of the warp have read before any of them writes.

__global__ void lock_step_shift(int *cells)
{
    cells[threadIdx.x] = cells[threadIdx.x + 1];
}
