//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A store that transposes through temporary storage orders nothing else.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out, int *other)
{
    typedef cub::BlockStore<int, 64, 1, cub::BLOCK_STORE_TRANSPOSE> Collective;
    __shared__ Collective::TempStorage storage;
    __shared__ int cells[64];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    int items[1] = {value};
    Collective(storage).Store(other, items);
    out[t] = cells[63 - t] + 1; //~ race
}
