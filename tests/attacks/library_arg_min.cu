//pass
//--block-dim=64 --grid-dim=1
// The pair with the smaller value is chosen, and of two with the same value that with the smaller key.

#include <cub/cub.cuh>

__global__ void positions(int *out)
{
    typedef cub::KeyValuePair<int, int> Pair;
    int t = threadIdx.x;
    Pair here = {t, t}, there = {64, t + 1}, far = {t + 64, t};
    int key = cub::ArgMin()(far, cub::ArgMin()(there, here)).key;
    out[key] = t;
}
