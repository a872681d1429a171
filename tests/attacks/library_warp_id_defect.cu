//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// The lanes of a warp have one number.

#include <cub/cub.cuh>

__global__ void warps(int *out)
{
    if (cub::WarpId() == 1) out[0] = threadIdx.x; //~ race
}
