// racy
// run: --block-dim 32 --grid-dim 1 --warp-sync 32
// Two lanes write to the same place in one instruction: which of them comes last is not known even in lock-step.

__global__ void lock_step_scatter(int *cells)
{
    cells[threadIdx.x * 6 % 32] = threadIdx.x; //~ race
}
