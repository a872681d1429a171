//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Nor does a sum of some of the threads.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out)
{
    typedef cub::BlockReduce<int, 64, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY> Collective;
    __shared__ Collective::TempStorage storage;
    __shared__ int cells[64];
    int t = threadIdx.x;
    int value = in[t];
    cells[t] = value; //~ race
    value = Collective(storage).Sum(value, 40);
    if (t != 0) value = 0;
    out[t] = cells[63 - t] + value; //~ race
}
