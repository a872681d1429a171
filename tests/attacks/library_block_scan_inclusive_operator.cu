//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// An inclusive scan with an operator of its own orders no memory.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out)
{
    typedef cub::BlockScan<int, 64, cub::BLOCK_SCAN_RAKING_MEMOIZE> Collective;
    __shared__ Collective::TempStorage storage;
    __shared__ int cells[64];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    Collective(storage).InclusiveScan(value, value, cub::Min());
    out[t] = cells[63 - t] + value; //~ race
}
