//pass
//--local_size=64 --num_groups=16
// The threads of a tile of 16 exchange elements through shared memory, ordered by the tile's
// sync().

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <unsigned SIZE>
__global__ void reverse_tiles(const int *in, int *out)
{
    __shared__ int cells[64];
    auto tile = cg::tiled_partition<SIZE>(cg::this_thread_block());
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    cells[threadIdx.x] = in[gid];
    tile.sync();
    out[gid] = cells[threadIdx.x ^ 15];
}

template __global__ void reverse_tiles<16>(const int *, int *);
