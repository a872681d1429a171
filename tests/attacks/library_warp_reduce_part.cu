//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// Nor does a reduction over the part of a warp.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out)
{
    typedef cub::WarpReduce<int, 8> Collective;
    __shared__ Collective::TempStorage storage[4];
    __shared__ int cells[32];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    value = Collective(storage[t / 8]).Reduce(value, cub::Max(), 5);
    if (t % 8 != 0) value = 0;
    out[t] = cells[t ^ 7] + value; //~ race
}
