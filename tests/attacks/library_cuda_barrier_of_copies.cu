//unknown
//--block-dim=64 --grid-dim=1
// A barrier that waits for copies is refused.

#include <cuda/barrier>

__global__ void copy(const int *in, int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> all;
    __shared__ __align__(16) int cells[64];
    int t = threadIdx.x;
    if (t == 0) {
        cuda::device::memcpy_async_tx(cells, in, cuda::aligned_size_t<16>(sizeof(cells)), all); //~ unsupported
        cuda::device::barrier_arrive_tx(all, 1, sizeof(cells));
        cuda::device::barrier_expect_tx(all, 64);
    }
    out[t] = cells[t] + (cuda::device::barrier_native_handle(all) != nullptr) + all.max();
}
