//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The count only acquires.

#include <cuda/atomic>

__global__ void last_thread(const int *in, int *partial, cuda::atomic<unsigned, cuda::thread_scope_device> *count,
                            int *out)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    partial[i] = in[i]; //~ race
    unsigned n = gridDim.x * 64;
    if (count->fetch_add(1, cuda::memory_order_acquire) == n - 1) {
        int sum = 0;
        for (unsigned k = 0; k < n; k++)
            sum += partial[k]; //~ race
        out[i] = sum;
    }
}
