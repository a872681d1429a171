//pass
//--block-dim=64 --grid-dim=1
// A warp's storage is used again behind a barrier of the warp.

#include <cub/cub.cuh>

__global__ void twice(const int *in, int *out)
{
    typedef cub::WarpReduce<int> Reduce;
    __shared__ Reduce::TempStorage storage[2];
    int a = in[threadIdx.x], b = a;
    a = Reduce(storage[threadIdx.x / 32]).Sum(a);
    __syncwarp();
    b = Reduce(storage[threadIdx.x / 32]).Sum(b);
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = a + b;
}
