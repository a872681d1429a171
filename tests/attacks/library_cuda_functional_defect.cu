//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// Extremes are shared by threads, and what functions return.

#include <cuda/functional>

__global__ void functions(int *out)
{
    int t = threadIdx.x;
    auto half = cuda::proclaim_return_type<int>([](int value) { return value / 2; });
    out[cuda::maximum<int>()(t, 3)] = t; //~ race most
    out[100 + cuda::minimum<int>()(t, 3)] = t; //~ race least
    out[200 + half(t)] = t; //~ race half
}
