//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A weak comparison may fail although the value is the one that is expected.

#include <cuda/atomic>

__global__ void weak(int *out)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> cells[64];
    int t = threadIdx.x;
    cells[t].store(0, cuda::memory_order_relaxed);
    int seen = 0;
    if (!cells[t].compare_exchange_weak(seen, 1, cuda::memory_order_relaxed)) out[0] = t; //~? race
}
