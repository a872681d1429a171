//xfail:NOT_ALL_VERIFIED
//--block-dim=128 --grid-dim=8
// As warp_sums.cu, but half of a warp does not take part: it waits for its block while the other half waits for it.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void sums(const int *in, float *out) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (warp.thread_rank() < 16) {
        int sum = cg::reduce(warp, in[i], cg::plus<int>()); //~ warp-divergence
        if (warp.thread_rank() == 0) out[i / 32] = sum;
    }
    __syncthreads();
}
