//pass
//--blockDim=64 --gridDim=4
// A struct goes from lane to lane word by word; from the lane itself it comes back whole.
#include <cooperative_groups.h>

__global__ void tile_shuffle_struct(int *out)
{
    auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    uint2 place = make_uint2(threadIdx.x, blockIdx.x);
    place = tile.shfl(place, tile.thread_rank());
    out[place.y * blockDim.x + place.x] = 1 + threadIdx.x;
}
