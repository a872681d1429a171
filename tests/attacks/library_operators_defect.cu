//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// All threads but one are not equal to it, and halves of differences are shared.

#include <cub/cub.cuh>

__global__ void operators(int *out)
{
    int t = threadIdx.x;
    if (!cub::Equality()(t, 3)) out[0] = t; //~ race equal
    if (cub::Inequality()(t, 5)) out[1] = t; //~ race unequal
    out[2 + cub::Difference()(70, t) / 2] = t; //~ race difference
}
