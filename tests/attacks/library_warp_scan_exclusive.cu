//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// Nor does an exclusive one, nor one that tells all lanes the sum.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out)
{
    typedef cub::WarpScan<int> Collective;
    __shared__ Collective::TempStorage storage;
    __shared__ int cells[32];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    int all;
    Collective(storage).ExclusiveScan(value, value, 0, cub::Max(), all);
    out[t] = cells[31 - t] + value; //~ race
}
