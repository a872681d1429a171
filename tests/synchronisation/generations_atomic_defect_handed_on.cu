//xfail:NOT_ALL_VERIFIED
//--blockDim=64
// The last block does not release what it has seen of the others.

#include <cuda/atomic>

__device__ unsigned count, generation;

__device__ void meet()
{
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> come(count), round(generation);
        unsigned now = round.load(cuda::memory_order_relaxed);
        if (come.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1) {
            come.store(0, cuda::memory_order_relaxed);
            round.store(now + 1, cuda::memory_order_relaxed);
        } else {
            while (round.load(cuda::memory_order_acquire) == now) {
            }
        }
    }
    __syncthreads();
}

__global__ void generations_atomic(int *a, int *b, int steps)
{
    unsigned i = blockIdx.x * 64 + threadIdx.x, last = gridDim.x * 64 - 1;
    for (int step = 0; step < steps; step++) {
        b[i] = a[last - i] + step; //~ race
        meet();
        a[i] = b[i]; //~ race
        meet();
    }
}
