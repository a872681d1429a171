//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Two pairs have the same value: the one with the smaller key is chosen, which is the same for all threads.

#include <cub/cub.cuh>

__global__ void positions(int *out)
{
    typedef cub::KeyValuePair<int, int> Pair;
    int t = threadIdx.x;
    Pair here = {t, t + 1}, there = {64, t}, far = {0, t + 1};
    int key = cub::ArgMax()(far, cub::ArgMax()(there, here)).key;
    out[key] = t; //~ race
}
