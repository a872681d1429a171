//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A volatile load is no atomic one.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out)
{
    __shared__ int a[64], b[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    a[t] = value; //~ race plain
    b[t] = value; //~ race volatile
    sum += cub::ThreadLoad<cub::LOAD_DEFAULT>(a + 63 - t); //~ race plain
    sum += cub::ThreadLoad<cub::LOAD_VOLATILE>(b + 63 - t); //~ race volatile
    out[t] = sum;
}
