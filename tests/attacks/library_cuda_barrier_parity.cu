//pass
//--block-dim=64 --grid-dim=1
// Waits for parities, once by a loop that asks.

#include <cuda/barrier>

__global__ void exchange(const int *in, int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> all;
    __shared__ int cells[64];
    int t = threadIdx.x;
    if (t == 0) init(&all, 64);
    __syncthreads();
    cells[t] = in[t];
    (void)all.arrive();
    all.wait_parity(false);
    int other = cells[63 - t];
    (void)all.arrive();
    while (!all.try_wait_parity(true)) {
    }
    cells[t] = other;
    out[t] = cells[t];
}
