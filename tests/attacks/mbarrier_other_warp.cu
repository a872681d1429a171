//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// The barrier of one warp says nothing of another warp, though both have come to one as often.
#include <cuda/barrier>

__global__ void __launch_bounds__(64) other_warp(int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> met;
    __shared__ int cell;
    if (threadIdx.x == 0) {
        init(&met, 64);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        cell = 1; //~ race
    }
    __syncwarp();
    if (threadIdx.x >= 32) {
        out[threadIdx.x] = cell; //~ race
    }
    met.arrive_and_wait();
}
