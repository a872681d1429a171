//pass
//--block-dim=64 --grid-dim=1
// With a value for them they have that.

#include <cub/cub.cuh>

__global__ void load(const int *in, int *out)
{
    typedef cub::BlockLoad<int, 64, 1> Load;
    __shared__ Load::TempStorage storage;
    int t = threadIdx.x;
    int items[1] = {7};
    Load(storage).Load(in, items, 32, 5);
    if (t >= 32 && items[0] != 5) out[0] = t;
}
