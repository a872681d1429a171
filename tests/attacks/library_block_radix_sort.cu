//unknown
//--block-dim=64 --grid-dim=1
// A sort by a block is refused.

#include <cub/cub.cuh>

__global__ void sort(const int *in, int *out)
{
    typedef cub::BlockRadixSort<int, 64, 1> Sort;
    __shared__ Sort::TempStorage storage;
    int keys[1] = {in[threadIdx.x]};
    Sort(storage).Sort(keys); //~ unsupported
    out[threadIdx.x] = keys[0];
}
