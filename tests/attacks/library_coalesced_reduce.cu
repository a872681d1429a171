//unknown
//--block-dim=32 --grid-dim=1 --without concrete-search --without unrolling --timeout=5
// Nor does a reduction of the lanes that have come together.

#include <cooperative_groups/reduce.h>

__global__ void exchange(const int *in, int *out)
{
    auto lanes = cooperative_groups::coalesced_threads();
    __shared__ int cells[32];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value;
    value = cooperative_groups::reduce(lanes, value, cooperative_groups::less<int>());
    out[t] = cells[31 - t] + value;
}
