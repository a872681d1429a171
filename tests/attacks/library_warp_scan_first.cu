//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// The same of a warp's scan and its first lane.

#include <cub/cub.cuh>

__global__ void largest_before(int *out)
{
    typedef cub::WarpScan<int> Scan;
    __shared__ Scan::TempStorage storage;
    int t = threadIdx.x;
    int before;
    Scan(storage).ExclusiveScan(1, before, cub::Max());
    if (t == 0 && before != 1) out[1] = 1; //~ race
    if (t == 1) out[1] = 2; //~ race
}
