//pass
//--block-dim=64 --grid-dim=1
// The pair with the larger value is chosen, and of two with the same value that with the smaller key.

#include <cub/cub.cuh>

__global__ void positions(int *out)
{
    typedef cub::KeyValuePair<int, int> Pair;
    int t = threadIdx.x;
    Pair here = {t, t + 1}, there = {64, t}, far = {t + 64, t + 1};
    int key = cub::ArgMax()(far, cub::ArgMax()(there, here)).key;
    out[key] = t;
}
