//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A scan without an initial value orders no memory.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out)
{
    typedef cub::BlockScan<int, 64> Collective;
    __shared__ Collective::TempStorage storage;
    __shared__ int cells[64];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    Collective(storage).ExclusiveScan(value, value, cub::Max());
    if (t == 0) value = 0;
    out[t] = cells[63 - t] + value; //~ race
}
