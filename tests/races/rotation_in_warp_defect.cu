// racy
// run: --block-dim 64 --grid-dim 1
// Lanes of a warp are independent of each other: without its barrier nothing orders them.

__global__ void rotation_in_warp(int *out)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x;
    cells[t] = t; //~ race
    out[t] = cells[t ^ 31]; //~ race
}
