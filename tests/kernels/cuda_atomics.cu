//pass
//--blockDim=64 --gridDim=16
// cuda::atomic and cuda::atomic_ref of a scope that all threads share which change the same place.

#include <cuda/atomic>

__global__ void cuda_atomics(const int *in, int *histogram, cuda::atomic<int, cuda::thread_scope_device> *positive)
{
    __shared__ int counts[64];
    counts[threadIdx.x] = 0;
    __syncthreads();
    const int value = in[blockIdx.x * 64 + threadIdx.x];
    if (value > 0) {
        positive->fetch_add(1, cuda::memory_order_relaxed);
    }
    cuda::atomic_ref<int, cuda::thread_scope_block> here(counts[value & 63]);
    ++here;
    __syncthreads();
    cuda::atomic_ref<int, cuda::thread_scope_device> there(histogram[threadIdx.x]);
    there += counts[threadIdx.x];
}
