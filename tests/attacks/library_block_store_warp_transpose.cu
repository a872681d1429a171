//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// Nor does one that transposes within warps.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out, int *other)
{
    typedef cub::BlockStore<int, 32, 1, cub::BLOCK_STORE_WARP_TRANSPOSE> Collective;
    __shared__ Collective::TempStorage storage;
    __shared__ int cells[32];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    int items[1] = {value};
    Collective(storage).Store(other, items, 20);
    out[t] = cells[31 - t] + 1; //~ race
}
