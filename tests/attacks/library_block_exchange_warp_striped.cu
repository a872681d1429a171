//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// An exchange within warps waits for a warp at most: threads of different warps are not ordered.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out)
{
    typedef cub::BlockExchange<int, 64, 2> Collective;
    __shared__ Collective::TempStorage storage;
    __shared__ int cells[64];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    int items[2] = {value, 1};
    Collective(storage).BlockedToWarpStriped(items);
    out[t] = cells[63 - t] + items[0]; //~ race
}
