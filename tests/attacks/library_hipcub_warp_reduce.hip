//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// hipCUB's sum of a warp (of 64 lanes) orders no memory.

#include <hipcub/hipcub.hpp>

__global__ void exchange(const int *in, int *out)
{
    typedef hipcub::WarpReduce<int> Collective;
    __shared__ Collective::TempStorage storage;
    __shared__ int cells[64];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    value = Collective(storage).Sum(value);
    if (t != 0) value = 0;
    out[t] = cells[63 - t] + value; //~ race
}
