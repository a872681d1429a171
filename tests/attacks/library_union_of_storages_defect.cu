//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=2
// Without the barrier the second one begins in storage that the first one may still use.

#include <cub/cub.cuh>

__global__ void sums(const int *in, int *out)
{
    typedef cub::BlockLoad<int, 64, 2, cub::BLOCK_LOAD_TRANSPOSE> Load;
    typedef cub::BlockScan<int, 64> Scan;
    __shared__ union {
        Load::TempStorage load;
        Scan::TempStorage scan;
    } storage;
    int items[2];
    Load(storage.load).Load(in + 128 * blockIdx.x, items); //~ race
    Scan(storage.scan).InclusiveSum(items, items); //~ race
    out[128 * blockIdx.x + 2 * threadIdx.x] = items[0];
    out[128 * blockIdx.x + 2 * threadIdx.x + 1] = items[1];
}
