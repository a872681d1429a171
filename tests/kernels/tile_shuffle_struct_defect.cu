//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=4
// All lanes have the place of the first.
#include <cooperative_groups.h>

__global__ void tile_shuffle_struct(int *out)
{
    auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    uint2 place = make_uint2(threadIdx.x, blockIdx.x);
    place = tile.shfl(place, 0);
    out[place.y * blockDim.x + place.x] = 1 + threadIdx.x; //~ race
}
