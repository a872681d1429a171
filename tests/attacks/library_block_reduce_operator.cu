//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A reduction over a block orders no memory, whatever its algorithm.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out)
{
    typedef cub::BlockReduce<int, 64, cub::BLOCK_REDUCE_RAKING> Collective;
    __shared__ Collective::TempStorage storage;
    __shared__ int cells[64];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    value = Collective(storage).Reduce(value, cub::Min(), 48);
    if (t != 0) value = 0;
    out[t] = cells[63 - t] + value; //~ race
}
