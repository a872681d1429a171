//pass
//--block-dim=32 --grid-dim=1
// A warp's storage is used again behind a barrier of the warp.

#include <cub/cub.cuh>

__global__ void twice(const int *in, int *out)
{
    typedef cub::WarpScan<int> Scan;
    __shared__ Scan::TempStorage storage;
    int a = in[threadIdx.x], b = a;
    Scan(storage).InclusiveSum(a, a);
    __syncwarp();
    Scan(storage).ExclusiveSum(b, b);
    out[threadIdx.x] = a + b;
}
