//unknown
//--block-dim=64 --grid-dim=1
// A latch of libcu++ is refused.

#include <cuda/latch>

__global__ void exchange(const int *in, int *out)
{
    __shared__ cuda::latch<cuda::thread_scope_block> all;
    __shared__ int cells[64];
    int t = threadIdx.x;
    cells[t] = in[t];
    all.count_down(); //~ unsupported
    all.wait();
    out[t] = cells[63 - t];
}
