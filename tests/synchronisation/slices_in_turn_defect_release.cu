//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=[*,*]
// Nothing is released before the next slice has its turn.
#include <cuda/atomic>

__global__ void slices_in_turn(unsigned *turns, int *tiles, int *parts)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> turn(turns[blockIdx.x]);
    if (threadIdx.x == 0)
        while (turn.load(cuda::memory_order_acquire) != blockIdx.y) {
        }
    __syncthreads();
    tiles[blockIdx.x * 64 + threadIdx.x] += parts[blockIdx.y * 64 + threadIdx.x]; //~ race
    __syncthreads();
    if (threadIdx.x == 0)
        turn.fetch_add(1, cuda::memory_order_relaxed);
}
