//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Nor does one by warps, one after the other.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out, int *other)
{
    typedef cub::BlockStore<int, 64, 2, cub::BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED> Collective;
    __shared__ Collective::TempStorage storage;
    __shared__ int cells[64];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    int items[2] = {value, 1};
    Collective(storage).Store(other, items);
    out[t] = cells[63 - t] + 1; //~ race
}
