//pass
//--block-dim=64 --grid-dim=4
// assumes: tiled_partition does not wait for threads of the group that do not call it (line 12)
// otherwise verified: --block-dim=64 --grid-dim=4 -D OTHERWISE
// The second half of the block has returned when the first half is parted. All threads of the block must call the
// function, which may make them wait for each other: a library that did so would never come back.
#include <cooperative_groups.h>

__device__ unsigned int number_in_tile()
{
#ifndef OTHERWISE
    return cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block()).thread_rank();
#else
    return threadIdx.x % 32;
#endif
}

__global__ void tiles_wait_for_nobody(unsigned int *out)
{
    if (threadIdx.x >= 32) return;
    out[blockIdx.x * 64 + threadIdx.x] = number_in_tile();
}
