//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// The second value of a pair and the first of a tuple are not the thread's.

#include <thrust/pair.h>
#include <thrust/tuple.h>

__global__ void tuples(int *out)
{
    int t = threadIdx.x;
    thrust::pair<int, int> pair = thrust::make_pair(t, 64);
    thrust::tuple<int, int> tuple = thrust::make_tuple(65, t);
    out[pair.second] = t; //~ race pair
    out[thrust::get<0>(tuple)] = t; //~ race tuple
}
