// race-free
// run: --block-dim 64 --grid-dim 1
// Elements are exchanged within warps, whose barrier orders memory.

__global__ void rotation_in_warp(int *out)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x;
    cells[t] = t;
    __syncwarp();
    out[t] = cells[t ^ 31];
}
