//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A warp's identifier is unique, and need not be its rank in the block.

#include <cub/cub.cuh>

__global__ void ranks(int *out)
{
    __shared__ int cells[2];
    int t = threadIdx.x;
    if (t % 32 == 0) cells[t / 32] = t; //~? race
    __syncwarp();
    out[t] = cells[cub::WarpId()]; //~? race //~? out-of-bounds
}
