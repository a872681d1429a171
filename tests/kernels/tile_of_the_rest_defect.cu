//xfail:NOT_ALL_VERIFIED
//--local_size=48 --num_groups=1
// As tile_of_the_rest.cu, but who is in a tile that is not full writes to the first place.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void sizes(int *out)
{
    __shared__ int size_of[48];
    cg::thread_group tile = cg::tiled_partition(cg::this_thread_block(), 32);
    size_of[tile.size() < 32 ? 0 : threadIdx.x] = threadIdx.x; //~ race
    __syncthreads();
    out[threadIdx.x] = size_of[0];
}
