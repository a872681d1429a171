//pass
//--block-dim=64 --grid-dim=1
// Differences and comparisons are what they say.

#include <cub/cub.cuh>

__global__ void operators(int *out)
{
    int t = threadIdx.x;
    if (cub::Equality()(t, 3)) out[0] = t;
    if (!cub::Inequality()(t, 5)) out[1] = t;
    out[2 + cub::Difference()(70, t)] = t;
}
