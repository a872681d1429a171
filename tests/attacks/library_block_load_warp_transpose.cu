//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// One that transposes within warps orders nothing, not even within the warp.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out)
{
    typedef cub::BlockLoad<int, 32, 2, cub::BLOCK_LOAD_WARP_TRANSPOSE> Collective;
    __shared__ Collective::TempStorage storage;
    __shared__ int cells[32];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    int items[2];
    Collective(storage).Load(in, items, 60, 0);
    out[t] = cells[31 - t] + items[0]; //~ race
}
