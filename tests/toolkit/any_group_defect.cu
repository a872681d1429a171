//xfail:NOT_ALL_VERIFIED
//--block-dim=128 --grid-dim=8
// As any_group.cu, but nobody waits for what the group has written.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ int sum_up(const cg::thread_group &group, int *scratch, int value) {
    unsigned rank = group.thread_rank();
    for (unsigned half = group.size() / 2; half > 0; half /= 2) {
        scratch[rank] = value; //~ race
        if (rank < half) value += scratch[rank + half]; //~ race
        group.sync();
    }
    return value;
}

__global__ void sums(const int *in, int *out) {
    __shared__ int scratch[128];
    int sum = sum_up(cg::this_thread_block(), scratch, in[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
