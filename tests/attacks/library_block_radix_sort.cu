//pass
//--block-dim=64 --grid-dim=1
// Keys and values are sorted, twice with a barrier between.

#include <cub/cub.cuh>

__global__ void sort(const int *in, int *out, float *moved)
{
    typedef cub::BlockRadixSort<int, 64, 2, float> Sort;
    __shared__ Sort::TempStorage storage;
    int t = threadIdx.x;
    int keys[2] = {in[2 * t], in[2 * t + 1]};
    float values[2] = {1, 2};
    Sort(storage).Sort(keys, values);
    __syncthreads();
    Sort(storage).SortDescendingBlockedToStriped(keys);
    out[t] = keys[0];
    moved[t] = values[1];
}
