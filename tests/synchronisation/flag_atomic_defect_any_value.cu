//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// The reader goes on whatever the flag is.

#include <cuda/atomic>

__global__ void flag_atomic(int *data, cuda::atomic<int, cuda::thread_scope_device> *flag, int *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *data = 42; //~ race
        flag->store(1, cuda::memory_order_release);
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        flag->load(cuda::memory_order_acquire);
        *out = *data; //~ race
    }
}
