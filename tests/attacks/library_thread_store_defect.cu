//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=1
// A store that names a cache orders nothing, one through all caches neither.

#include <cub/cub.cuh>

__global__ void exchange(const int *in, int *out)
{
    __shared__ int a[64], b[64], c[64], d[64];
    int t = threadIdx.x;
    int value = in[t], sum = 0;
    cub::ThreadStore<cub::STORE_WB>(a + t, value); //~ race back
    cub::ThreadStore<cub::STORE_CG>(b + t, value); //~ race global
    cub::ThreadStore<cub::STORE_CS>(c + t, value); //~ race streaming
    cub::ThreadStore<cub::STORE_WT>(d + t, value); //~ race through
    sum += a[63 - t]; //~ race back
    sum += b[63 - t]; //~ race global
    sum += c[63 - t]; //~ race streaming
    sum += d[63 - t]; //~ race through
    out[t] = sum;
}
