//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Nor does one of several items.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out)
{
    typedef cub::BlockScan<int, 64> Collective;
    __shared__ Collective::TempStorage storage;
    __shared__ int cells[64];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    int items[2] = {value, 1}, all;
    Collective(storage).InclusiveScan(items, items, cub::Max(), all);
    out[t] = cells[63 - t] + all; //~ race
}
