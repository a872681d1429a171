//pass
//--block-dim=64 --grid-dim=1
// Storage is used again behind a barrier of the block.

#include <cub/cub.cuh>

__global__ void twice(const int *in, int *out)
{
    typedef cub::BlockExchange<int, 64, 2> Exchange;
    __shared__ Exchange::TempStorage storage;
    int items[2] = {in[threadIdx.x], 1};
    Exchange(storage).BlockedToStriped(items);
    __syncthreads();
    Exchange(storage).StripedToBlocked(items);
    out[threadIdx.x] = items[0];
}
