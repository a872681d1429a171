//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// A scan over a warp orders no memory.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out)
{
    typedef cub::WarpScan<int> Collective;
    __shared__ Collective::TempStorage storage;
    __shared__ int cells[32];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    Collective(storage).InclusiveSum(value, value);
    out[t] = cells[31 - t] + value; //~ race
}
