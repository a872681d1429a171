//unknown
//--block-dim=64 --grid-dim=1
// Waits that end after a time (try_wait_for, try_wait_until) are refused.

#include <cuda/barrier>

__global__ void exchange(const int *in, int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> all;
    int t = threadIdx.x;
    if (t == 0) init(&all, 64);
    __syncthreads();
    if (!all.try_wait_for(all.arrive(), 1000)) all.try_wait_until(all.arrive(), 2000); //~ unsupported
    out[t] = in[t];
}
