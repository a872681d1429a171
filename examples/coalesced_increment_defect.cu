//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As coalesced_increment.cu, but the counter is raised without an atomic: one thread does it for
// those that are together, but there are others.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ unsigned draw(unsigned *counter)
{
    cg::coalesced_group together = cg::coalesced_threads();
    unsigned first = 0;
    if (together.thread_rank() == 0) {
        first = *counter; //~ race read
        *counter = first + together.size(); //~ race read write
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
