//pass
//--block-dim=64 --grid-dim=1
// Pairs and tuples have the values that they are made of.

#include <thrust/pair.h>
#include <thrust/tuple.h>

__global__ void tuples(int *out)
{
    int t = threadIdx.x;
    thrust::pair<int, int> pair = thrust::make_pair(t, 64);
    thrust::tuple<int, int, int> tuple = thrust::make_tuple(64, t, 128);
    out[pair.first] = t;
    out[pair.second + thrust::get<1>(tuple)] = t;
    out[thrust::get<2>(tuple) + pair.first] = t;
    thrust::tuple_element<1, thrust::tuple<int, int, int>>::type second = thrust::get<1>(tuple);
    if (second != t) out[0] = t;
}
