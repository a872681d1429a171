//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1 --without concrete-search --without unrolling
// What shares memory with the storage may not be written behind the collective without a barrier.

#include <cub/cub.cuh>

__global__ void sums(const int *in, int *out)
{
    typedef cub::BlockReduce<int, 64> Reduce;
    __shared__ union {
        Reduce::TempStorage storage;
        int cells[64];
    } shared;
    int t = threadIdx.x;
    int sum = Reduce(shared.storage).Sum(in[t]); //~ race
    shared.cells[t] = t; //~ race
    __syncthreads();
    out[t] = shared.cells[63 - t];
    if (t == 0) out[64] = sum;
}
