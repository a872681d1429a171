//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// Nor does an inclusive one with an operator of its own.

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
    Collective(storage).InclusiveScan(value, value, cub::Min(), all);
    out[t] = cells[31 - t] + all; //~ race
}
