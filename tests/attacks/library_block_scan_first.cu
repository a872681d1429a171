//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Without an initial value the first thread's result of an exclusive scan is undefined.

#include <cub/cub.cuh>

__global__ void largest_before(const int *in, int *out)
{
    typedef cub::BlockScan<int, 64> Scan;
    __shared__ Scan::TempStorage storage;
    int t = threadIdx.x;
    int before;
    Scan(storage).ExclusiveScan(in[t], before, cub::Max());
    if (t == 0 && before != in[0]) out[1] = 1; //~ race
    if (t == 1) out[1] = 2; //~ race
}
