//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A weak compare-exchange may fail though it finds what is expected.

#include <cuda/atomic>

__global__ void exchange(unsigned *cells, int *out)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> cell(cells[threadIdx.x]);
    unsigned expected = 3;
    if (!cell.compare_exchange_weak(expected, 7) && expected == 3) out[0] = threadIdx.x; //~? race
}
