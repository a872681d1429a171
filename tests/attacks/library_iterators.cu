//pass
//--block-dim=64 --grid-dim=1
// Iterators count, repeat and transform; the elements are loaded where they are asked for, behind the barrier.

#include <cub/cub.cuh>

struct Twice {
    __device__ int operator()(int value) const { return 2 * value; }
};

__global__ void iterators(const int *in, int *out)
{
    __shared__ int cells[64];
    int t = threadIdx.x;
    cub::CountingInputIterator<int> counts(64);
    cub::ConstantInputIterator<int> constant(200);
    cub::TransformInputIterator<int, Twice, const int *> twice(cells, Twice());
    cells[t] = in[t];
    __syncthreads();
    out[counts[t]] = twice[63 - t];
    out[*(counts + t) - 64] = *(twice + (63 - t));
    if (t == 7) out[constant[t] + *(constant + t)] = t;
}
