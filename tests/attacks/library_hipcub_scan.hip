//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// hipCUB's scan of a block orders no memory.

#include <hipcub/hipcub.hpp>

__global__ void exchange(const int *in, int *out)
{
    typedef hipcub::BlockScan<int, 64> Collective;
    __shared__ Collective::TempStorage storage;
    __shared__ int cells[64];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    Collective(storage).ExclusiveSum(value, value);
    out[t] = cells[63 - t] + value; //~ race
}
