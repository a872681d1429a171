//pass
//--local_size=48 --num_groups=1
// Tiles whose size is known only when the kernel runs: the last one of a block has the threads that are left.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void sizes(int *out)
{
    __shared__ int size_of[2];
    cg::thread_group tile = cg::tiled_partition(cg::this_thread_block(), 32);
    assert(tile.size() == (threadIdx.x < 32 ? 32 : 16));
    if (tile.thread_rank() == 0) {
        size_of[threadIdx.x / 32] = tile.size();
    }
    __syncthreads();
    out[threadIdx.x] = size_of[threadIdx.x / 32];
}
