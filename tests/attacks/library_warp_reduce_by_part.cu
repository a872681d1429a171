//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// Each part of a warp has a first lane of its own: the others of the part get nothing that is defined.

#include <cub/cub.cuh>

__global__ void sums(int *out)
{
    typedef cub::WarpReduce<int, 16> Reduce;
    __shared__ Reduce::TempStorage storage[2];
    int t = threadIdx.x;
    int sum = Reduce(storage[t / 16]).Sum(1);
    if (t == 17 && sum != 16 && sum != 15) out[0] = 1; //~ race
    if (t == 0) out[0] = 2; //~ race
}
