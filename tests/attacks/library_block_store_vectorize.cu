//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Nor does one by vectors.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out, int *other)
{
    typedef cub::BlockStore<int, 64, 2, cub::BLOCK_STORE_VECTORIZE> Collective;
    __shared__ Collective::TempStorage storage;
    __shared__ int cells[64];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    int items[2] = {value, 1};
    Collective(storage).Store(other, items, 99);
    out[t] = cells[63 - t] + 1; //~ race
}
