// A sum over a cluster of thread blocks: each reads the others' sums in distributed shared memory.
// launch: --local_size=32
// defect: the barrier of the cluster before the reads is missing.
// arch: 90 100
// skip: nvrtc11
// example: nvcc
#include "instructions.h"

#ifdef __clang__
#define CLUSTER
#else
#define CLUSTER __cluster_dims__(4, 1, 1)
#endif

extern "C" __global__ void CLUSTER __launch_bounds__(32) cluster_sum(const float *in, float *out)
{
    __shared__ float mine;
    if (threadIdx.x == 0) {
        mine = in[blockIdx.x]; //~ race shared
    }
#ifndef DEFECT
    cluster_sync();
#endif
    float sum = 0.0f;
    for (unsigned rank = 0; rank < cluster_size(); ++rank) {
        sum += load_cluster(cluster_address(&mine, rank)); //~ race shared
    }
    cluster_sync();
    out[blockIdx.x * 32 + threadIdx.x] = sum + cluster_rank();
}
