//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// So is its first item, where there are several; the ones behind it are not.

#include <cub/cub.cuh>

__global__ void largest_before(int *out)
{
    typedef cub::BlockScan<int, 64> Scan;
    __shared__ Scan::TempStorage storage;
    int t = threadIdx.x;
    int items[2] = {1, 1};
    Scan(storage).ExclusiveScan(items, items, cub::Max());
    if (t == 0 && items[0] != 1) out[1] = 1; //~ race
    if (t == 1) out[1] = 2; //~ race
}
