//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A thread that waits at an mbarrier sees another index than it has written itself.
#include <cuda/barrier>

__global__ void __launch_bounds__(64) index_of_another(int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> met;
    __shared__ int cell;
    if (threadIdx.x == 0) {
        init(&met, 64);
        cell = 1;
    }
    __syncthreads();
    if (threadIdx.x == 32) {
        cell = 2;
    }
    met.arrive_and_wait();
    if (threadIdx.x == 0) {
        __assert(cell == 1); //~ assertion
        out[cell] = 1;
    }
}
