//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Two warps may not use one storage at the same time.

#include <cub/cub.cuh>

__global__ void sums(const int *in, int *out)
{
    typedef cub::WarpReduce<int> Reduce;
    __shared__ Reduce::TempStorage storage;
    int t = threadIdx.x;
    int sum = Reduce(storage).Sum(in[t]); //~ race
    if (t % 32 == 0) out[t / 32] = sum;
}
