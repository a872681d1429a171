//pass
//--local_size=64 --num_groups=16
// The block as a cooperative group: its sync() is __syncthreads, here in a device function that is
// handed the group.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int exchange(cg::thread_block block, int *cells, int value, unsigned partner)
{
    cells[block.thread_rank()] = value;
    block.sync();
    return cells[partner];
}

__global__ void reverse_blocks(int *data)
{
    __shared__ int cells[64];
    cg::thread_block block = cg::this_thread_block();
    unsigned t = block.thread_rank();
    unsigned gid = block.group_index().x * block.size() + t;
    int mirrored = exchange(block, cells, data[gid], block.size() - 1 - t);
    block.sync();
    data[gid] = mirrored + exchange(block, cells, mirrored, t ^ 1);
}
