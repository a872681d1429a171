// A tile that the thread block copies together by cooperative groups, and waits for.
// launch: --local_size=128
// defect: the tile is read without waiting for the copy.
// only: nvcc
// arch: 80 90
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

extern "C" __global__ void __launch_bounds__(128) group_copy(const float4 *in, float *out, int rounds)
{
    __shared__ float4 tile[128];
    cg::thread_block block = cg::this_thread_block();
    float sum = 0.0f;
    for (int k = 0; k < rounds; ++k) {
        cg::memcpy_async(block, tile, in + k * 128, sizeof tile); //~ race shared
#ifndef DEFECT
        cg::wait(block);
#endif
        float4 v = tile[127 - threadIdx.x]; //~ race shared
        sum += v.x + v.y + v.z + v.w;
        block.sync();
    }
#ifdef DEFECT
    cg::wait(block);
#endif
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}
