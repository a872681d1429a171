//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Storage that is used again without a barrier may still be in use.

#include <cub/cub.cuh>

__global__ void twice(const int *in, int *out)
{
    typedef cub::BlockExchange<int, 64, 2> Exchange;
    __shared__ Exchange::TempStorage storage;
    int items[2] = {in[threadIdx.x], 1};
    Exchange(storage).BlockedToStriped(items); //~ race
    Exchange(storage).StripedToBlocked(items); //~ race
    out[threadIdx.x] = items[0];
}
