//pass
//--block-dim=64 --grid-dim=1
// Storage is used again behind a barrier of the block.

#include <cub/cub.cuh>

__global__ void twice(const int *in, int *out)
{
    typedef cub::BlockReduce<int, 64> Reduce;
    __shared__ Reduce::TempStorage storage;
    int a = in[threadIdx.x], b = a;
    a = Reduce(storage).Sum(a);
    __syncthreads();
    b = Reduce(storage).Reduce(b, cub::Max());
    if (threadIdx.x == 0) out[0] = a + b;
}
