//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Elements are loaded where they are asked for, before the barrier here, and a constant is one for all.

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
    cells[t] = in[t]; //~ race load
    int other = twice[63 - t]; //~ race load
    __syncthreads();
    out[counts[t / 2]] = other; //~ race count
    out[constant[t]] = other; //~ race constant
}
