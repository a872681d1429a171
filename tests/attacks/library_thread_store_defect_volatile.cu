//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A volatile store is no atomic one.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out)
{
    __shared__ int a[64], b[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    cub::ThreadStore<cub::STORE_DEFAULT>(a + t, value); //~ race plain
    cub::ThreadStore<cub::STORE_VOLATILE>(b + t, value); //~ race volatile
    sum += a[63 - t]; //~ race plain
    sum += b[63 - t]; //~ race volatile
    out[t] = sum;
}
