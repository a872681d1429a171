//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A store that transposes works on the items that it is given: behind it they are something else.

#include <cub/cub.cuh>

__global__ void store(int *out, int *other)
{
    typedef cub::BlockStore<int, 64, 2, cub::BLOCK_STORE_TRANSPOSE> Store;
    __shared__ Store::TempStorage storage;
    int items[2] = {5, 5};
    Store(storage).Store(out, items);
    if (items[0] != 5) other[0] = threadIdx.x; //~ race
}
