//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A barrier of the warp orders nothing between two warps.

__global__ void exchange(const int *in, int *out)
{
    __shared__ int cells[64];
    unsigned t = threadIdx.x;
    cells[t] = in[t]; //~ race
    __syncwarp();
    out[t] = cells[t ^ 32]; //~ race
}
