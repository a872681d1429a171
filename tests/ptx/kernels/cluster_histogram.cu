// A histogram over a cluster by cooperative groups: each thread block has some of the bins, and all
// add to them in distributed shared memory.
// launch: --local_size=128
// defect: the barrier of the cluster between clearing and counting is one of the thread block.
// only: nvcc
// arch: 90
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128)
cluster_histogram(const unsigned char *in, int *bins, int n)
{
    __shared__ int counts[128];
    cg::cluster_group cluster = cg::this_cluster();
    counts[threadIdx.x] = 0; //~ race shared
#ifdef DEFECT
    __syncthreads();
#else
    cluster.sync();
#endif
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) {
        int *other = cluster.map_shared_rank(counts, in[i] / 128);
        atomicAdd(other + in[i] % 128, 1); //~ race shared
    }
    cluster.sync();
    atomicAdd(&bins[cluster.block_rank() * 128 + threadIdx.x], counts[threadIdx.x]);
}
