//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Without it an iteration begins in storage that the last one may still use.

#include <cub/cub.cuh>

__global__ void scans(const int *in, int *out, int n)
{
    typedef cub::BlockScan<int, 64> Scan;
    __shared__ Scan::TempStorage storage;
    int t = threadIdx.x, carried = 0;
    for (int i = 0; i < n; ++i) {
        int sum, all;
        Scan(storage).ExclusiveSum(in[64 * i + t], sum, all); //~ race
        out[64 * i + t] = sum + carried;
        carried += all;
    }
}
