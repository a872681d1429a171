//xfail:NOT_ALL_VERIFIED
//--local_size=128 --num_groups=2
// As cuda_barrier_split.cu, but with one row of cells: a thread that is a round ahead writes what
// others still read.
#include <cuda/barrier>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void __launch_bounds__(128) cuda_barrier_split(const int *in, int *out, int rounds)
{
    __shared__ barrier met;
    __shared__ int cells[128];
    unsigned t = threadIdx.x;
    if (t == 0) {
        init(&met, 128);
    }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < rounds; ++k) {
        cells[t] = in[k * 128 + t]; //~ race
        barrier::arrival_token token = met.arrive();
        int own = in[k * 128 + t] * k;
        met.wait(std::move(token));
        sum += own + cells[(t + 1) % 128]; //~ race
    }
    out[blockIdx.x * 128 + t] = sum;
}
