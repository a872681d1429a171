// Two buffers by cuda::barrier: each warp group of four fills one while the other one reads.
// launch: --local_size=256
// defect: the consumers arrive at the empty barrier before they read the buffer.
// only: nvcc
// arch: 80 90
#include <cuda/barrier>

using barrier = cuda::barrier<cuda::thread_scope_block>;

extern "C" __global__ void __launch_bounds__(256) cuda_barrier_ring(const float *in, float *out, int rounds)
{
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier full[2], empty[2];
    __shared__ float buffer[2][128];
    unsigned t = threadIdx.x % 128;
    if (threadIdx.x == 0) {
        for (int s = 0; s < 2; ++s) {
            init(&full[s], 256);
            init(&empty[s], 256);
        }
    }
    __syncthreads();
    if (threadIdx.x < 128) {
        for (int k = 0; k < rounds; ++k) {
            empty[k % 2].arrive_and_wait();
            buffer[k % 2][t] = in[k * 128 + t]; //~ race shared
            (void)full[k % 2].arrive();
        }
    } else {
        for (int s = 0; s < 2; ++s) {
            (void)empty[s].arrive();
        }
        float sum = 0.0f;
        for (int k = 0; k < rounds; ++k) {
            full[k % 2].arrive_and_wait();
#ifdef DEFECT
            (void)empty[k % 2].arrive();
#endif
            sum += buffer[k % 2][127 - t]; //~ race shared
#ifndef DEFECT
            (void)empty[k % 2].arrive();
#endif
        }
        out[blockIdx.x * 128 + t] = sum;
    }
}
