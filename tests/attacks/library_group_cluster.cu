//unknown
//--block-dim=64 --grid-dim=1
// A cluster of blocks is refused.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void exchange(const int *in, int *cells, int *out)
{
    int t = threadIdx.x;
    cells[t] = in[t];
    cg::cluster_group group = cg::this_cluster(); //~ unsupported
    group.sync();
    out[t] = cells[63 - t];
}
