//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=[*,*]
// The turns are those of a block.
#include <cuda/atomic>

__global__ void slices_in_turn(unsigned *turns, int *tiles, int *parts)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_block> turn(turns[blockIdx.x]);
    if (threadIdx.x == 0)
        while (turn.load(cuda::memory_order_acquire) != blockIdx.y) { //~ race
        }
    __syncthreads();
    tiles[blockIdx.x * 64 + threadIdx.x] += parts[blockIdx.y * 64 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        turn.fetch_add(1, cuda::memory_order_release); //~ race
}
