//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Items beyond the last valid one are not assigned, and nothing says that they are left as they were.

#include <cub/cub.cuh>

__global__ void load(const int *in, int *out)
{
    typedef cub::BlockLoad<int, 64, 1> Load;
    __shared__ Load::TempStorage storage;
    int t = threadIdx.x;
    int items[1] = {5};
    Load(storage).Load(in, items, 32);
    if (t >= 32 && items[0] != 5) out[0] = t; //~ race
}
