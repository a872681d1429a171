//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// Nor does a match of all.

#include <cooperative_groups.h>

__global__ void exchange(const int *in, int *out)
{
    auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    __shared__ int cells[32];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    int same;
    tile.match_all(value, same);
    out[t] = cells[31 - t] + value; //~ race
}
