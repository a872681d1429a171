//xfail:NOT_ALL_VERIFIED
//--block-dim=8 --grid-dim=1
// In which order a tile's values are reduced is not documented: by a function that does not commute each thread gets another.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

struct First { __device__ int operator()(int a, int) const { return a; } };

__global__ void first(int *out)
{
    auto tile = cg::tiled_partition<4>(cg::this_thread_block());
    int result = cg::reduce(tile, (int)tile.thread_rank(), First());
    if (result != (int)tile.thread_rank()) out[0] = threadIdx.x; //~? race
}
