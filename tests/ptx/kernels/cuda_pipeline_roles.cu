// A cuda::pipeline whose first two warps copy and whose other two read.
// launch: --local_size=128
// defect: the readers release a stage before they read it.
// only: nvcc
// arch: 80 90
#include <cooperative_groups.h>
#include <cuda/pipeline>

extern "C" __global__ void __launch_bounds__(128) cuda_pipeline_roles(const float *in, float *out, int rounds)
{
    __shared__ float stage[3][64];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 3> state;
    auto block = cooperative_groups::this_thread_block();
    bool copies = threadIdx.x < 64;
    auto pipeline =
        cuda::make_pipeline(block, &state, copies ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    unsigned t = threadIdx.x % 64;
    if (copies) {
        for (int k = 0; k < rounds; ++k) {
            pipeline.producer_acquire();
            cuda::memcpy_async(&stage[k % 3][t], in + k * 64 + t, sizeof(float), pipeline); //~ race shared
            pipeline.producer_commit();
        }
    } else {
        float sum = 0.0f;
        for (int k = 0; k < rounds; ++k) {
            pipeline.consumer_wait();
#ifdef DEFECT
            pipeline.consumer_release();
#endif
            sum += stage[k % 3][63 - t]; //~ race shared
#ifndef DEFECT
            pipeline.consumer_release();
#endif
        }
        out[blockIdx.x * 64 + t] = sum;
    }
}
