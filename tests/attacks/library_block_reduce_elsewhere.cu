//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// The sum is returned to the first thread; what others get is undefined, and need not be their own value.

#include <cub/cub.cuh>

__global__ void sums(const int *in, int *out)
{
    typedef cub::BlockReduce<int, 64> Reduce;
    __shared__ Reduce::TempStorage storage;
    int t = threadIdx.x;
    int value = in[t];
    int sum = Reduce(storage).Sum(value);
    if (t != 0 && sum != value) out[0] = t; //~ race
}
