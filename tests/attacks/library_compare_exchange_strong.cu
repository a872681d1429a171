//pass
//--block-dim=64 --grid-dim=1
// A strong compare-exchange that finds what is expected does not fail.

#include <cuda/atomic>

__global__ void exchange(unsigned *cells, int *out)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> cell(cells[threadIdx.x]);
    unsigned expected = 3;
    if (!cell.compare_exchange_strong(expected, 7) && expected == 3) out[0] = threadIdx.x;
    out[1 + threadIdx.x] = 0;
}
