//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// A swap that fails is relaxed.

#include <cuda/atomic>
__global__ void k(int *data, int *flag, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *data = 42; //~ race
        f.store(1, cuda::memory_order_release);
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        int e = 7;
        f.compare_exchange_strong(e, 7, cuda::memory_order_acquire, cuda::memory_order_relaxed);
        if (e == 1)
            *out = *data; //~ race
    }
}
