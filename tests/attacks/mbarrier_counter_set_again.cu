//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A counter that is set again between two meetings at an mbarrier gives the same numbers again.
#include <cuda/barrier>

__global__ void __launch_bounds__(64) counter_set_again(int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> met;
    __shared__ int counter;
    if (threadIdx.x == 0) {
        init(&met, 64);
        counter = 0;
    }
    __syncthreads();
    int first = atomicAdd(&counter, 1);
    met.arrive_and_wait();
    if (threadIdx.x == 0) {
        counter = 0;
    }
    met.arrive_and_wait();
    int second = atomicAdd(&counter, 1);
    out[first] = 1; //~ race
    out[second] = 2; //~ race
}
