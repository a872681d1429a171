//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// CUB's scan of a block of one warp waits for nobody, and no scan is documented to order memory.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out)
{
    typedef cub::BlockScan<int, 32> Collective;
    __shared__ Collective::TempStorage storage;
    __shared__ int cells[32];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    Collective(storage).ExclusiveSum(value, value);
    out[t] = cells[31 - t] + value; //~ race
}
