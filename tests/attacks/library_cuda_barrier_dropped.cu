//unknown
//--block-dim=64 --grid-dim=1
// A thread that takes part no longer is refused.

#include <cuda/barrier>

__global__ void exchange(const int *in, int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> all;
    int t = threadIdx.x;
    if (t == 0) init(&all, 64);
    __syncthreads();
    all.arrive_and_drop(); //~ unsupported
    out[t] = in[t];
}
