//pass
//--block-dim=8 --grid-dim=2
// CUB's other algorithms keep the order of what is reduced.

#include <cub/cub.cuh>

struct First { __device__ int operator()(int a, int) const { return a; } };

__global__ void first(int *out)
{
    typedef cub::BlockReduce<int, 8, cub::BLOCK_REDUCE_RAKING> Collective;
    __shared__ Collective::TempStorage storage;
    int result = Collective(storage).Reduce((int)threadIdx.x, First());
    if (threadIdx.x == 0 && result != 0) out[0] = blockIdx.x;
}
