//unknown
//--block-dim=64 --grid-dim=1
// A pipeline that a block shares is refused.

#include <cooperative_groups.h>
#include <cuda/pipeline>

__global__ void copy(int *out)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cooperative_groups::this_thread_block();
    auto all = cuda::make_pipeline(block, &state); //~ unsupported
    all.producer_acquire();
    all.producer_commit();
    all.consumer_wait();
    all.consumer_release();
    out[threadIdx.x] = threadIdx.x;
}
