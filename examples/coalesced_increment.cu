//pass
//--local_size=64 --num_groups=16
// Threads that are together in a branch draw numbers from one counter: one of them adds for all,
// atomically, and hands the start to the others.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ unsigned draw(unsigned *counter)
{
    cg::coalesced_group together = cg::coalesced_threads();
    unsigned first = 0;
    if (together.thread_rank() == 0) {
        first = atomicAdd(counter, together.size());
    }
    return together.shfl(first, 0) + together.thread_rank();
}

__global__ void number_large(const int *in, unsigned *numbers, unsigned *counter, int threshold)
{
    unsigned gid = blockIdx.x * blockDim.x + threadIdx.x;
    if (in[gid] > threshold) {
        numbers[gid] = draw(counter);
    }
}
