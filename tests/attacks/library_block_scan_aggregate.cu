//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// That all threads learn the sum of all does not order their memory.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out)
{
    typedef cub::BlockScan<int, 64, cub::BLOCK_SCAN_WARP_SCANS> Collective;
    __shared__ Collective::TempStorage storage;
    __shared__ int cells[64];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    int all;
    Collective(storage).InclusiveSum(value, value, all);
    out[t] = cells[63 - t] + all; //~ race
}
