//pass
//--block-dim=64 --grid-dim=1
// Storage is used again behind a barrier of the block.

#include <cub/cub.cuh>

__global__ void twice(const int *in, int *out)
{
    typedef cub::BlockScan<int, 64> Scan;
    __shared__ Scan::TempStorage storage;
    int a = in[threadIdx.x], b = a;
    Scan(storage).ExclusiveSum(a, a);
    __syncthreads();
    Scan(storage).ExclusiveSum(b, b);
    out[threadIdx.x] = a + b;
}
