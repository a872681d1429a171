//unknown
//--block-dim=64 --grid-dim=1
// A barrier of libcu++ with another scope is not made of the hardware's, and is refused.

#include <cuda/barrier>

__global__ void exchange(const int *in, int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_device> all;
    __shared__ int cells[64];
    int t = threadIdx.x;
    if (t == 0) init(&all, 64); //~ unsupported
    __syncthreads();
    cells[t] = in[t];
    all.wait(all.arrive());
    out[t] = cells[63 - t];
}
