//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// A broadcast of a lane's value is no barrier of the warp.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out)
{
    typedef cub::WarpScan<int> Collective;
    __shared__ Collective::TempStorage storage;
    __shared__ int cells[32];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    value = Collective(storage).Broadcast(value, 3);
    out[t] = cells[31 - t] + value; //~ race
}
