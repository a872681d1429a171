//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// At most one warp has a number, which the model does not say.

#include <cub/cub.cuh>

__global__ void warps(int *out)
{
    if (cub::WarpId() == 1 && cub::LaneId() == 0) out[0] = threadIdx.x; //~? race
}
