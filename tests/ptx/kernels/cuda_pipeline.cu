// A cuda::pipeline of two stages whose state is shared by the thread block.
// launch: --local_size=128
// defect: the stage is released before it is read.
// only: nvcc
// arch: 80 90
#include <cooperative_groups.h>
#include <cuda/pipeline>

extern "C" __global__ void __launch_bounds__(128) cuda_pipeline(const float *in, float *out, int rounds)
{
    __shared__ float stage[2][128];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cooperative_groups::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    unsigned t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0, filled = 0; k < rounds; ++k) {
        for (; filled < rounds && filled < k + 2; ++filled) {
            pipeline.producer_acquire();
            cuda::memcpy_async(&stage[filled % 2][t], in + filled * 128 + t, sizeof(float), pipeline); //~ race shared
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
#ifdef DEFECT
        pipeline.consumer_release();
#endif
        sum += stage[k % 2][127 - t]; //~ race shared
#ifndef DEFECT
        pipeline.consumer_release();
#endif
    }
    out[blockIdx.x * 128 + t] = sum;
}
