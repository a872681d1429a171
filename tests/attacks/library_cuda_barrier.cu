//pass
//--block-dim=64 --grid-dim=1
// The barrier of libcu++ for a block orders what comes before an arrival and behind the wait.

#include <cuda/barrier>

__global__ void exchange(const int *in, int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> all;
    __shared__ int cells[64];
    int t = threadIdx.x;
    if (t == 0) init(&all, 64);
    __syncthreads();
    cells[t] = in[t];
    all.wait(all.arrive());
    out[t] = cells[63 - t];
}
