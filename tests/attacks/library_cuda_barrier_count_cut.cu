//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A count whose low 32 bits fit does not: no barrier is for so many arrivals.

#include <cuda/barrier>

__global__ void exchange(const int *in, int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> all;
    __shared__ int cells[64];
    int t = threadIdx.x;
    if (t == 0) init(&all, (1l << 32) + 64); //~ named-barrier
    __syncthreads();
    cells[t] = in[t];
    all.arrive_and_wait();
    out[t] = cells[63 - t];
}
