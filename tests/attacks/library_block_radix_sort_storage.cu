//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Nothing orders the second use of the storage behind the first.

#include <cub/cub.cuh>

__global__ void sort(const int *in, int *out, float *moved)
{
    typedef cub::BlockRadixSort<int, 64, 2, float> Sort;
    __shared__ Sort::TempStorage storage;
    int t = threadIdx.x;
    int keys[2] = {in[2 * t], in[2 * t + 1]};
    float values[2] = {1, 2};
    Sort(storage).Sort(keys, values); //~? race
    Sort(storage).SortDescendingBlockedToStriped(keys); //~? race
    out[t] = keys[0];
    moved[t] = values[1];
}
