//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As block_group.cu, but the cells are used again for the second exchange without waiting until the
// first one's reads are done.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int exchange(cg::thread_block block, int *cells, int value, unsigned partner)
{
    cells[block.thread_rank()] = value; //~ race
    block.sync();
    return cells[partner]; //~ race
}

__global__ void reverse_blocks(int *data)
{
    __shared__ int cells[64];
    cg::thread_block block = cg::this_thread_block();
    unsigned t = block.thread_rank();
    unsigned gid = block.group_index().x * block.size() + t;
    int mirrored = exchange(block, cells, data[gid], block.size() - 1 - t);
    data[gid] = mirrored + exchange(block, cells, mirrored, t ^ 1);
}
