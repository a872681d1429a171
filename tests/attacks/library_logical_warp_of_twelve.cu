//unknown
//--block-dim=32 --grid-dim=1
// Parts of a warp whose size is no power of two are not modelled, and refused by name.

#include <cub/cub.cuh>

__global__ void sums(const int *in, int *out)
{
    typedef cub::WarpReduce<int, 12> Reduce;
    __shared__ Reduce::TempStorage storage[2];
    int t = threadIdx.x;
    int sum = t < 24 ? Reduce(storage[t / 12]).Sum(in[t]) : 0;
    if (t % 12 == 0) out[t / 12] = sum;
}
