//pass
//--local_size=128 --num_groups=2
// Each thread arrives at a barrier, computes what needs no others, and waits for the phase of its
// arrival: what others have written before they arrived can be read behind the wait.
#include <cuda/barrier>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void __launch_bounds__(128) cuda_barrier_split(const int *in, int *out, int rounds)
{
    __shared__ barrier met;
    __shared__ int cells[2][128];
    unsigned t = threadIdx.x;
    if (t == 0) {
        init(&met, 128);
    }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < rounds; ++k) {
        cells[k % 2][t] = in[k * 128 + t];
        barrier::arrival_token token = met.arrive();
        int own = in[k * 128 + t] * k;
        met.wait(std::move(token));
        sum += own + cells[k % 2][(t + 1) % 128];
    }
    out[blockIdx.x * 128 + t] = sum;
}
