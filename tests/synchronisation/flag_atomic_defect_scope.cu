//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=16
// Both are for their blocks alone.

#include <cuda/atomic>

__global__ void flag_atomic(int *data, cuda::atomic<int, cuda::thread_scope_block> *flag, int *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *data = 42;
        flag->store(1, cuda::memory_order_release); //~ race
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (flag->load(cuda::memory_order_acquire) == 0) { //~ race
        }
        *out = *data;
    }
}
