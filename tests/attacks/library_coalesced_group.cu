//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// Which lanes have come together is not known, so that some may have been left out.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void branch(const int *in, int *out)
{
    __shared__ int cells[32];
    int t = threadIdx.x;
    if (t < 16) {
        cg::coalesced_group group = cg::coalesced_threads();
        cells[t] = in[t]; //~ race
        group.sync();
        out[t] = cells[15 - t]; //~ race
    }
}
