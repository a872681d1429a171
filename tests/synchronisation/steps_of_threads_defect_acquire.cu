//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=4
// The load acquires nothing.

#include <cuda/atomic>

__global__ void steps_of_threads(int *cells, int *sums, int *steps, int n)
{
    using Step = cuda::atomic_ref<int, cuda::thread_scope_device>;
    size_t i = blockIdx.x * 64 + threadIdx.x, size = gridDim.x * 64;
    Step mine(steps[i]);
    for (int step = 1; step <= n; step++) {
        cells[step * size + i] = step; //~ race
        mine.store(step, cuda::memory_order_release);
        if (i > 0) {
            Step before(steps[i - 1]);
            while (before.load(cuda::memory_order_relaxed) < step) {
            }
            sums[step * size + i] = cells[step * size + i - 1]; //~ race
        }
    }
}
