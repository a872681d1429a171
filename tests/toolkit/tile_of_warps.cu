//unknown
//--block-dim=128 --grid-dim=8
// A tile of two warps is refused by name, not taken for what its header does with memory that the compiler reserves.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void mark(int *out) {
    auto tile = cg::tiled_partition<64>(cg::this_thread_block()); //~ unsupported
    tile.sync();
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
