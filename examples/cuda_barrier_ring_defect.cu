//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// As cuda_barrier_ring.cu, but the consumer gives a buffer back before it has read it.
#include <cuda/barrier>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void __launch_bounds__(64) cuda_barrier_ring(const float *in, float *out, int rounds)
{
    __shared__ barrier full[2], empty[2];
    __shared__ float buffer[2][32];
    unsigned lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        for (int s = 0; s < 2; ++s) {
            init(&full[s], 64);
            init(&empty[s], 64);
        }
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int k = 0; k < rounds; ++k) {
            empty[k % 2].arrive_and_wait();
            buffer[k % 2][lane] = in[k * 32 + lane]; //~ race
            (void)full[k % 2].arrive();
        }
    } else {
        (void)empty[0].arrive();
        (void)empty[1].arrive();
        float sum = 0.0f;
        for (int k = 0; k < rounds; ++k) {
            full[k % 2].arrive_and_wait();
            (void)empty[k % 2].arrive();
            sum += buffer[k % 2][31 - lane]; //~ race
        }
        out[blockIdx.x * 32 + lane] = sum;
    }
}
