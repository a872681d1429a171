//pass
//--block-dim=64 --grid-dim=1
// Storage that CUB allocates itself is one for all calls: a barrier is needed there as well.

#include <cub/cub.cuh>

__global__ void twice(const int *in, int *out)
{
    typedef cub::BlockScan<int, 64> Scan;
    int a = in[threadIdx.x], b = a;
    Scan().ExclusiveSum(a, a);
    __syncthreads();
    Scan().ExclusiveSum(b, b);
    out[threadIdx.x] = a + b;
}
