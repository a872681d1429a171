// A lock of compare-and-swap around a sum in global memory, by cuda::atomic_ref.
// launch: --local_size=128
// defect: the lock is released with relaxed order.
// only: nvcc
// arch: 80 90
#include <cuda/atomic>

extern "C" __global__ void __launch_bounds__(128) spin_lock(const float *in, float *total, int *lock)
{
    __shared__ float cells[128];
    cells[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0.0f;
        for (int i = 0; i < 128; ++i) {
            sum += cells[i];
        }
        cuda::atomic_ref<int, cuda::thread_scope_device> held(*lock);
        int free = 0;
        while (!held.compare_exchange_weak(free, 1, cuda::memory_order_acquire)) {
            free = 0;
        }
        *total += sum; //~ race global
#ifdef DEFECT
        held.store(0, cuda::memory_order_relaxed);
#else
        held.store(0, cuda::memory_order_release);
#endif
    }
}
