//xfail:NOT_ALL_VERIFIED
//--block-dim=8 --grid-dim=2
// One of CUB's algorithms is for operators only that commute: of the first of two values it makes what it likes.

#include <cub/cub.cuh>

struct First { __device__ int operator()(int a, int) const { return a; } };

__global__ void first(int *out)
{
    typedef cub::BlockReduce<int, 8, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY> Collective;
    __shared__ Collective::TempStorage storage;
    int result = Collective(storage).Reduce((int)threadIdx.x, First());
    if (threadIdx.x == 0 && result != 0) out[0] = blockIdx.x; //~? race
}
