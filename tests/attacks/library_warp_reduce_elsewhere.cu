//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// The sum over a warp is returned to its first lane; what others get is undefined.

#include <cub/cub.cuh>

__global__ void sums(const int *in, int *out)
{
    typedef cub::WarpReduce<int> Reduce;
    __shared__ Reduce::TempStorage storage;
    int t = threadIdx.x;
    int sum = Reduce(storage).Sum(1);
    if (t == 31 && sum != 1) out[0] = 1; //~ race
    if (t == 0) out[0] = 2; //~ race
}
