//xfail:NOT_ALL_VERIFIED
//--block-dim=32 --grid-dim=1
// A warp's collective asks for a barrier of the warp before its storage is used again.

#include <cub/cub.cuh>

__global__ void twice(const int *in, int *out)
{
    typedef cub::WarpScan<int> Scan;
    __shared__ Scan::TempStorage storage;
    int a = in[threadIdx.x], b = a;
    Scan(storage).InclusiveSum(a, a); //~ race
    Scan(storage).ExclusiveSum(b, b); //~ race
    out[threadIdx.x] = a + b;
}
