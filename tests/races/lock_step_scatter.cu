// race-free
// run: --block-dim 32 --grid-dim 1 --warp-sync 32
// The lanes write to places of their own in one instruction.

__global__ void lock_step_scatter(int *cells)
{
    cells[threadIdx.x * 5 % 32] = threadIdx.x;
}
