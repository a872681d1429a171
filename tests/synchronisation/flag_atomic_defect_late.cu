//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// The data is written behind the release.

#include <cuda/atomic>

__global__ void flag_atomic(int *data, cuda::atomic<int, cuda::thread_scope_device> *flag, int *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        flag->store(1, cuda::memory_order_release);
        *data = 42; //~ race
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (flag->load(cuda::memory_order_acquire) == 0) {
        }
        *out = *data; //~ race
    }
}
