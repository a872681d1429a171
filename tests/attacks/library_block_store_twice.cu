//pass
//--block-dim=64 --grid-dim=2
// Two stores that transpose, each to its own place, with a barrier between the two uses of the storage.

#include <cub/cub.cuh>

__global__ void store(int *out, int *other)
{
    typedef cub::BlockStore<int, 64, 2, cub::BLOCK_STORE_TRANSPOSE> Store;
    __shared__ Store::TempStorage storage;
    int items[2] = {5, 6};
    Store(storage).Store(out + 128 * blockIdx.x, items);
    __syncthreads();
    int again[2] = {7, 8};
    Store(storage).Store(other + 128 * blockIdx.x, again);
}
