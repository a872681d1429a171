//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// Nor are lanes of one warp: an exchange is no barrier of the warp.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out)
{
    typedef cub::BlockExchange<int, 32, 2> Collective;
    __shared__ Collective::TempStorage storage;
    __shared__ int cells[32];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    int items[2] = {value, 1};
    Collective(storage).WarpStripedToBlocked(items);
    out[t] = cells[31 - t] + items[0]; //~ race
}
