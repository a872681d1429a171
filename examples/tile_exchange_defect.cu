//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As tile_exchange.cu, but the tiles have 8 threads, and the elements come from the next tile, which
// the sync() of this one does not order, although it is of the same warp.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <unsigned SIZE>
__global__ void reverse_tiles(const int *in, int *out)
{
    __shared__ int cells[64];
    auto tile = cg::tiled_partition<SIZE>(cg::this_thread_block());
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    cells[threadIdx.x] = in[gid]; //~ race
    tile.sync();
    out[gid] = cells[threadIdx.x ^ 15]; //~ race
}

template __global__ void reverse_tiles<8>(const int *, int *);
