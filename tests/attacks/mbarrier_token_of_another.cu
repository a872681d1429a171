//unknown
//--local_size=64 --num_groups=1
// A token tells nothing of another barrier, though both have completed as many phases.
#include <cuda/barrier>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void __launch_bounds__(64) token_of_another(int *out)
{
    __shared__ barrier one, other;
    __shared__ int cells[64];
    int t = threadIdx.x;
    if (t == 0) {
        init(&one, 64);
        init(&other, 64);
    }
    __syncthreads();
    cells[t] = t;
    barrier::arrival_token token = one.arrive();
    (void)other.arrive();
    other.wait(std::move(token));
    out[t] = cells[63 - t];
}
