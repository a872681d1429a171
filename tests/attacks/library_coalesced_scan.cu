//unknown
//--block-dim=32 --grid-dim=1 --without concrete-search --without unrolling --timeout=5
// Nor does their scan.

#include <cooperative_groups/scan.h>

__global__ void exchange(const int *in, int *out)
{
    auto lanes = cooperative_groups::coalesced_threads();
    __shared__ int cells[32];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value;
    value = cooperative_groups::inclusive_scan(lanes, value);
    out[t] = cells[31 - t] + value;
}
